"""Twin of lesson 12: a training step of a linear layer: forward, mean squared error, backward, SGD.

Run:     python lessons/18-python-interop/twins/linear_layer.py [examples [features]]
Beside:  linear-layer-versions
"""

import numpy as np
from twin import Twin, cupy, cupy_clock, on_host, sizes, torch, torch_clock

OUTPUTS = 10
INPUT, TARGET, WEIGHT = range(3)


def numbers(kind, first, count):
    """Numbers first to first + count - 1 of a kind, from -1 to 1. A float holds each exactly."""
    u = np.uint32
    hashes = np.arange(first, first + count, dtype=np.uint64).astype(u)
    hashes += u(kind * 0x9e3779b9 & 0xffffffff)
    hashes = (hashes ^ hashes >> u(16)) * u(0x7feb352d)
    hashes = (hashes ^ hashes >> u(15)) * u(0x846ca68b)
    hashes ^= hashes >> u(16)
    return (hashes >> u(8)).astype(np.float32) * np.float32(2**-23) - np.float32(1)


class Data:
    """The inputs x, the targets t, the first weights w and the first bias b."""

    def __init__(self, examples, features):
        self.x = np.empty((examples, features), np.float32)
        for row in range(examples):
            self.x[row] = numbers(INPUT, row * features, features)
        self.t = numbers(TARGET, 0, examples * OUTPUTS).reshape(examples, OUTPUTS)
        # The C++ program has the bias as a last column of weights, for a column of ones in x.
        w = numbers(WEIGHT, 0, OUTPUTS * (features + 1)).reshape(OUTPUTS, -1) * np.float32(2**-8)
        self.w, self.b = w[:, :-1].copy(), w[:, -1].copy()


class Arrays:
    """The layer in NumPy's or CuPy's arrays."""

    def __init__(self, data, xp):
        self.x, self.t = xp.asarray(data.x), xp.asarray(data.t)
        self.w, self.b = xp.array(data.w), xp.array(data.b)  # copies, which a step changes

    def step(self, rate):
        """Returns the loss before the step."""
        e = self.x @ self.w.T + self.b - self.t
        g = np.float32(2 * rate / e.size) * e
        self.w -= g.T @ self.x
        self.b -= g.sum(axis=0)
        return (e * e).mean()


class Torch:
    """The same with PyTorch, which finds the gradient by itself."""

    def __init__(self, data):
        self.x, self.t = torch.from_numpy(data.x).cuda(), torch.from_numpy(data.t).cuda()
        self.layer = torch.nn.Linear(data.x.shape[1], OUTPUTS).cuda()
        self.w, self.b = self.layer.weight.data, self.layer.bias.data
        self.w.copy_(torch.from_numpy(data.w))
        self.b.copy_(torch.from_numpy(data.b))
        self.optimizer = torch.optim.SGD(self.layer.parameters(), lr=1)

    def step(self, rate):
        self.optimizer.param_groups[0]["lr"] = rate
        self.optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(self.layer(self.x), self.t)
        loss.backward()
        self.optimizer.step()
        return loss.detach()


# What PyTorch 2.11 finds on an H200, in float, for 1000 examples of 2000 features.
LOSSES = (0.3379202187, 0.1929425299, 0.1322337538, 0.0990109667, 0.0779432654)


def losses_right(make):
    layer = make(Data(1000, 2000))
    return all(abs(float(layer.step(2)) - want) <= 1e-6 * want for want in LOSSES)


def step_right(data, loss, layer):
    """The first step at rate 1, in double, in strips of rows: its loss and about 100 features'
    weights, up to a millionth of what each is the sum of."""
    rows, features = data.x.shape
    columns = np.arange(features - 1, -1, -(features // 100 | 1))
    squares, gradient, terms = 0.0, np.zeros((OUTPUTS, len(columns))), 0.0
    w = data.w.astype(np.float64)
    for first in range(0, rows, 100):
        x = data.x[first:first + 100].astype(np.float64)
        e = x @ w.T + data.b - data.t[first:first + 100]
        squares += (e * e).sum()
        gradient += e.T @ x[:, columns]
        terms += np.abs(e).T @ np.abs(x[:, columns])
    factor = 2 / (rows * OUTPUTS)
    want = w[:, columns] - factor * gradient
    off = np.abs(on_host(layer.w)[:, columns] - want)
    return (abs(float(loss) - squares / (rows * OUTPUTS)) <= 1e-6 * squares / (rows * OUTPUTS) and
            bool((off <= 1e-6 * (np.abs(w[:, columns]) + factor * terms)).all()))


examples, features = sizes([10_000, 100_000], [500, 2_000])
twin = Twin(f"linear-layer: {examples} x {features} floats", "GB/s", 1e-9)
# As lesson 12 counts: x is read twice, a row of it padded to a multiple of four floats.
bytes_read = 2 * 4 * examples * ((features + 1 + 3) // 4 * 4)
twin.beside("linear-layer-versions", "step: version 3", bytes_read)
data = Data(examples, features)


def figure(what, make, **clock):
    layer = make(data)
    twin.figure(what, bytes_read, lambda: layer.step(1),
                lambda loss: step_right(data, loss, layer) and losses_right(make), **clock)


figure("NumPy: x @ w.T, e.T @ x", lambda data: Arrays(data, np))
if cupy:
    figure("CuPy: x @ w.T, e.T @ x", lambda data: Arrays(data, cupy), clock=cupy_clock)
if torch:
    figure("PyTorch: nn.Linear, SGD", Torch, clock=torch_clock)

twin.verdict()
