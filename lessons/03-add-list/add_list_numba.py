# Lesson 03 in Numba: c = a + b, with the five steps.
#
# Run: python lessons/03-add-list/add_list_numba.py [n]

import sys
import time

import numpy as np
from numba import cuda


@cuda.jit
def add(a, b, c):
    i = cuda.grid(1)  # blockIdx.x * blockDim.x + threadIdx.x
    if i < c.size:
        c[i] = a[i] + b[i]


n = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000_000
a = np.arange(n) % 1021 / np.float32(1024)
b = np.arange(n) % 4093 / np.float32(4096)
a, b = a.astype(np.float32), b.astype(np.float32)  # the sums are exact in float32

for what in "with the compiler", "compiled":
    times = [time.perf_counter()]
    d_a, d_b = cuda.to_device(a), cuda.to_device(b)  # allocate and copy
    d_c = cuda.device_array_like(a)
    times.append(time.perf_counter())
    add[(n + 255) // 256, 256](d_a, d_b, d_c)
    cuda.synchronize()
    times.append(time.perf_counter())
    c = d_c.copy_to_host()
    times.append(time.perf_counter())
    copy_in, kernel, copy_out = 1e3 * np.diff(times)
    print(f"{what}: copy a and b {copy_in:.3f} ms, kernel {kernel:.3f} ms, copy c {copy_out:.3f} ms")
print("PASS" if np.array_equal(c, a + b) else "FAIL")
