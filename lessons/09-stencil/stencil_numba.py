# Lesson 09 in Numba: Jacobi steps, one thread per cell.
#
# Run: python lessons/09-stencil/stencil_numba.py [ny nx]

import sys
import time

import numpy as np
from numba import cuda


@cuda.jit
def step(now, later):
    x, y = cuda.grid(2)
    ny, nx = now.shape  # rows come first
    if 0 < x < nx - 1 and 0 < y < ny - 1:
        later[y, x] = 0.25 * (now[y, x - 1] + now[y, x + 1] + now[y - 1, x] + now[y + 1, x])


def numpy_step(now, later):
    later[1:-1, 1:-1] = 0.25 * (now[1:-1, :-2] + now[1:-1, 2:] + now[:-2, 1:-1] + now[2:, 1:-1])


ny, nx = [int(word) for word in sys.argv[1:]] or (8001, 8003)
start = np.random.default_rng(9).random((ny, nx))
d_now, d_later = cuda.to_device(start), cuda.to_device(start)
now, later = start.copy(), start.copy()
grid = (nx + 31) // 32, (ny + 7) // 8
for what in "with the compiler", "compiled":
    begin = time.perf_counter()
    step[grid, (32, 8)](d_now, d_later)
    cuda.synchronize()
    seconds = time.perf_counter() - begin
    print(f"{what}: {1e3 * seconds:.3f} ms, {2e-9 * start.nbytes / seconds:.1f} GB/s")
    d_now, d_later = d_later, d_now
    numpy_step(now, later)
    now, later = later, now
print("PASS" if np.array_equal(d_now.copy_to_host(), now) else "FAIL")
