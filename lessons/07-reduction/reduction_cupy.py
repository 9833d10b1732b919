# Lesson 07 in CuPy: the sum of float32 numbers, in float32 and in float64.
#
# Run: python lessons/07-reduction/reduction_cupy.py [n]

import sys
import time

import cupy as cp
import numpy as np

n = int(sys.argv[1]) if len(sys.argv) > 1 else 1 << 28
x = (np.arange(n) % 1021 / 1024).astype(np.float32)  # multiples of 1/1024: the sum is exact in float64
expected = x.sum(dtype=np.float64)
d_x = cp.asarray(x)
for dtype in np.float32, np.float64:
    for what in "first call", "second call":
        start = time.perf_counter()
        total = float(d_x.sum(dtype=dtype))  # waits for the kernel
        seconds = time.perf_counter() - start
        print(f"{np.dtype(dtype)}, {what}: {total:.3f}, {1e3 * seconds:.3f} ms, {1e-9 * x.nbytes / seconds:.1f} GB/s")
print("PASS" if total == expected else "FAIL")  # of the sum in float64
