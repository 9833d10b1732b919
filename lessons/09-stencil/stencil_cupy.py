# Lesson 09 in CuPy: Jacobi steps with slices. Every + and * is a kernel and allocates an array.
#
# Run: python lessons/09-stencil/stencil_cupy.py [ny nx]

import sys
import time

import cupy as cp
import numpy as np


def step(now, later):  # for arrays of CuPy or NumPy
    later[1:-1, 1:-1] = 0.25 * (now[1:-1, :-2] + now[1:-1, 2:] + now[:-2, 1:-1] + now[2:, 1:-1])


ny, nx = [int(word) for word in sys.argv[1:]] or (8001, 8003)
start = np.random.default_rng(9).random((ny, nx))
d_now, d_later = cp.asarray(start), cp.asarray(start)
now, later = start.copy(), start.copy()
for what in "first call", "second call":
    begin = time.perf_counter()
    step(d_now, d_later)
    cp.cuda.Device().synchronize()
    seconds = time.perf_counter() - begin
    print(f"{what}: {1e3 * seconds:.3f} ms, {2e-9 * start.nbytes / seconds:.1f} GB/s")
    d_now, d_later = d_later, d_now
    step(now, later)
    now, later = later, now
print("PASS" if np.array_equal(cp.asnumpy(d_now), now) else "FAIL")
