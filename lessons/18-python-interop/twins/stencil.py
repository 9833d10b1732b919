"""Twin of lesson 09: a Jacobi step, each inner cell the mean of its four neighbours, in double.

Run:     python lessons/18-python-interop/twins/stencil.py [nx [ny]]
Beside:  stencil-versions
"""

import numpy as np
from twin import (Twin, blocks, cuda, cuda_clock, cupy, cupy_clock, hashed, numba, on_host,
                  optional, sizes, torch, torch_clock)


def slices(now, later):
    """NumPy's, CuPy's and PyTorch's: each operation makes an array."""
    later[1:-1, 1:-1] = 0.25 * (now[1:-1, :-2] + now[1:-1, 2:] + now[:-2, 1:-1] + now[2:, 1:-1])


if numba:
    @numba.njit(parallel=True)
    def loops(now, later):
        for y in numba.prange(1, now.shape[0] - 1):
            for x in range(1, now.shape[1] - 1):
                later[y, x] = 0.25 * (now[y, x - 1] + now[y, x + 1] + now[y - 1, x] + now[y + 1, x])

if cuda:
    @cuda.jit
    def step(now, later):
        x, y = cuda.grid(2)
        if 0 < x < now.shape[1] - 1 and 0 < y < now.shape[0] - 1:  # shape[0] counts rows
            later[y, x] = 0.25 * (now[y, x - 1] + now[y, x + 1] + now[y - 1, x] + now[y + 1, x])

jit = cupy and optional("cupyx.jit")
if jit:
    @jit.rawkernel()
    def raw_step(now, later, nx, ny):
        x = jit.blockIdx.x * jit.blockDim.x + jit.threadIdx.x
        y = jit.blockIdx.y * jit.blockDim.y + jit.threadIdx.y
        if x > 0 and x < nx - 1 and y > 0 and y < ny - 1:
            later[y, x] = 0.25 * (now[y, x - 1] + now[y, x + 1] + now[y - 1, x] + now[y + 1, x])


nx, ny = sizes([16384, 16384], [701, 503])
twin = Twin(f"stencil: {nx} x {ny} doubles", "GB/s", 1e-9)
bytes_moved = 2 * 8 * nx * ny  # each cell is read once and written once
for version, what in ((1, "one thread per cell"), (3, "four rows per thread")):
    twin.beside("stencil-versions", f"{version} {what}", bytes_moved, what)

# Neighbours have nothing in common: a smooth field would forgive a wrong neighbour.
start = hashed(np.arange(nx * ny, dtype=np.uint32), 2654435761).reshape(ny, nx) * 2.0**-24


def after(steps, x, y):
    """Cell (x, y) after so many steps, from the cells that it depends on."""
    if steps == 0 or x in (0, nx - 1) or y in (0, ny - 1):
        return start[y, x]
    return 0.25 * (after(steps - 1, x - 1, y) + after(steps - 1, x + 1, y) +
                   after(steps - 1, x, y - 1) + after(steps - 1, x, y + 1))


def right(field):
    """All edges, and some thousand cells to the last bit: the four are added in the same order.
    Every row or column of a small field is among them."""
    field = on_host(field)
    cells = {(x, y) for i in range(max(nx, ny)) for x, y in ((i % nx, i * 7919 % ny),
                                                           (i * 7919 % nx, i % ny))}
    edges = np.s_[0, :], np.s_[-1, :], np.s_[:, 0], np.s_[:, -1]
    return (all(field[y, x] == after(2, x, y) for x, y in cells) and
            all(np.array_equal(field[edge], start[edge]) for edge in edges))


def figure(what, launch, to_device=lambda field: field.copy(), **clock):
    """launch(now, later) makes a step."""
    fields = [to_device(start), to_device(start)]  # both: no step writes the edge of the new one

    def step_once():
        launch(*fields)
        fields.reverse()
        return fields[0]

    twin.figure(what, bytes_moved, step_once, lambda first: right(step_once()), **clock)


grid = blocks(nx, 32), blocks(ny, 8)  # of blocks of 32 x 8 threads
figure("NumPy: slices", slices)
if numba:
    figure("Numba: prange, all cores", loops)
if cuda:
    figure("Numba CUDA: one thread per cell", lambda now, later: step[grid, (32, 8)](now, later),
           cuda.to_device, clock=cuda_clock)
if cupy:
    figure("CuPy: slices", slices, cupy.asarray, clock=cupy_clock)
if jit:
    figure("CuPy: jit.rawkernel, a thread per cell",
           lambda now, later: raw_step[grid, (32, 8)](now, later, nx, ny), cupy.asarray,
           clock=cupy_clock)
if torch:
    figure("PyTorch: slices", slices, lambda field: torch.from_numpy(field).cuda(),
           clock=torch_clock)

twin.verdict()
