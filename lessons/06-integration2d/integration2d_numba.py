# Lesson 06 in Numba: the integral of sin(x + y), with one sum per block in shared memory.
#
# Run: python lessons/06-integration2d/integration2d_numba.py [n]

import math
import sys
import time

from numba import cuda, float64

BLOCK = 128  # threads per block, a power of two


@cuda.jit
def block_sums(n, h, sums):
    shared = cuda.shared.array(BLOCK, float64)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    total = 0.0
    if i < n:  # a thread without a column contributes 0
        for j in range(n):
            total += math.sin(h * (i + 0.5) + h * (j + 0.5))
    shared[t] = total
    cuda.syncthreads()  # all elements are written
    half = BLOCK // 2
    while half > 0:
        if t < half:
            shared[t] += shared[t + half]
        cuda.syncthreads()  # outside the if: every thread reaches it
        half //= 2
    if t == 0:
        sums[cuda.blockIdx.x] = shared[0]


n = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
blocks = (n + BLOCK - 1) // BLOCK
d_sums = cuda.device_array(blocks)
correct = True
for side, expected in (math.pi / 2, 2), (math.pi, 0):  # the first launch includes the compiler
    start = time.perf_counter()
    block_sums[blocks, BLOCK](n, side / n, d_sums)
    integral = (side / n) ** 2 * d_sums.copy_to_host().sum()  # waits for the kernel
    print(f"square of side {side:.4f}: {integral:.12f}, {1e3 * (time.perf_counter() - start):.3f} ms")
    correct = correct and abs(integral - expected) <= side**4 / 12 / n**2 + 1e-10
print("PASS" if correct else "FAIL")
