"""Twin of lesson 06: the integral of sin(x + y) over a square from n x n points, in double.

Run:     python lessons/18-python-interop/twins/integration2d.py [n]
Beside:  integration2d-versions
"""

import math

import numpy as np
from twin import Twin, blocks, cuda, cupy, numba, sizes, torch

if numba:
    @numba.njit(parallel=True)
    def sum_on_all_cores(n, h):
        total = 0.0
        for i in numba.prange(n):
            for j in range(n):
                total += math.sin(h * (i + 0.5) + h * (j + 0.5))
        return total

BLOCK = 128  # threads: a power of two, so that it can be halved down to 1
if cuda:
    @cuda.jit(device=True)
    def row_sum(n, h, i):
        total = 0.0
        for j in range(n):
            total += math.sin(h * (i + 0.5) + h * (j + 0.5))
        return total

    @cuda.jit
    def plain(n, h, sums):
        i = cuda.grid(1)
        if i < n:
            sums[i] = row_sum(n, h, i)

    @cuda.jit
    def block_sums(n, h, sums):
        shared = cuda.shared.array(BLOCK, numba.float64)
        t, i = cuda.threadIdx.x, cuda.grid(1)
        shared[t] = row_sum(n, h, i) if i < n else 0.0
        cuda.syncthreads()
        half = BLOCK // 2
        while half > 0:
            if t < half:
                shared[t] += shared[t + half]
            cuda.syncthreads()  # outside the if: all threads of the block reach it
            half //= 2
        if t == 0:
            sums[cuda.blockIdx.x] = shared[0]


def slabs_sum(sin, x, points):
    """The sum over all pairs of x, by arrays of about `points` numbers: one for all of them would
    have n^2. `sin` is NumPy's, CuPy's or PyTorch's, as is x."""
    rows = max(1, points // len(x))
    total = 0.0
    for first in range(0, len(x), rows):
        total = total + sin(x[first:first + rows, None] + x).sum()
    return float(total)


(n,) = sizes([102_400], [4_000])
twin = Twin(f"integration2d: {n} x {n} points, double", "Gpoint/s", 1e-9)


def figure(what, sum_of, n=n):
    """sum_of(n, h): the sum of all points, in host memory. Over [0, pi/2]^2 the integral is 2, and
    over [0, pi]^2 it is 0, as is the sum of a program that does nothing: the first one proves."""

    def integral(n, a):
        return (a / n) ** 2 * sum_of(n, a / n)

    def right(zero):
        two, a = integral(n + 1, math.pi / 2), math.pi
        # The method's error is at most a^4 / (12 n^2); 1e-11 of the area is for rounding.
        return (abs(zero) <= a**2 * (a**2 / n**2 / 12 + 1e-11) and
                abs(two - 2) <= (a / 2)**2 * ((a / 2)**2 / n**2 / 12 + 1e-11))

    twin.figure(what, n * n, lambda: integral(n, math.pi), right, same_size=n == standard)


standard = n
for what in ("plain", "block sums", "plane", "rotated, double"):
    twin.beside("integration2d-versions", what, n * n)

# NumPy would take minutes for the size of a GPU: there it does a part, and its rate compares.
part = min(n, 4_000)
figure("NumPy" if part == n else f"NumPy, {part} x {part} points",
       lambda n, h: slabs_sum(np.sin, h * (np.arange(n) + 0.5), 2**15), part)
if numba:
    figure("Numba: prange, all cores", sum_on_all_cores)
if cuda:
    sums = cuda.device_array(n + 1)

    def launch(kernel, n, h, count):
        kernel[blocks(n, BLOCK), BLOCK](n, h, sums)
        return sums[:count].copy_to_host().sum()

    figure("Numba CUDA: plain", lambda n, h: launch(plain, n, h, n))
    figure("Numba CUDA: block sums", lambda n, h: launch(block_sums, n, h, blocks(n, BLOCK)))
if cupy:
    figure("CuPy: arrays, in slabs",
           lambda n, h: slabs_sum(cupy.sin, h * (cupy.arange(n) + 0.5), 2**26))
if torch:
    figure("PyTorch: arrays, in slabs",
           lambda n, h: slabs_sum(torch.sin, h * (torch.arange(n, device="cuda").double() + 0.5),
                                  2**26))

twin.verdict()
