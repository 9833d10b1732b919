# Lesson 07 in Numba: version 2, a tree in shared memory, and Numba's own reduction.
#
# Run: python lessons/07-reduction/reduction_numba.py [n]

import sys
import time

import numpy as np
from numba import cuda, float64

BLOCK = 256  # threads per block


@cuda.jit
def tree_per_block(x, total):
    partial = cuda.shared.array(BLOCK, float64)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    partial[t] = x[i] if i < x.size else 0.0  # 0 is the identity of the sum
    half = BLOCK // 2
    while half > 0:
        cuda.syncthreads()  # all sums of the previous step are written
        if t < half:
            partial[t] += partial[t + half]
        half //= 2
    if t == 0:
        cuda.atomic.add(total, 0, partial[0])


add = cuda.reduce(lambda a, b: a + b)
n = int(sys.argv[1]) if len(sys.argv) > 1 else 1 << 26
x = np.arange(n) % 1021 / 1024  # multiples of 1/1024: the sum is exact in any order
d_x = cuda.to_device(x)
sums = []
for what in "with the compiler", "compiled":
    d_total = cuda.to_device(np.zeros(1))
    times = [time.perf_counter()]
    tree_per_block[(n + BLOCK - 1) // BLOCK, BLOCK](d_x, d_total)
    sums.append(d_total.copy_to_host()[0])  # waits for the kernel
    times.append(time.perf_counter())
    sums.append(add(d_x))
    times.append(time.perf_counter())
    print("{}: tree per block {:.3f} ms, cuda.reduce {:.3f} ms".format(what, *1e3 * np.diff(times)))
print("PASS" if all(total == x.sum() for total in sums) else "FAIL")
