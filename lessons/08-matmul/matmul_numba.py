# Lesson 08 in Numba: the product of two matrices, with tiles in shared memory.
#
# Run: python lessons/08-matmul/matmul_numba.py [n]

import sys
import time

import numpy as np
from numba import cuda, float32

TILE = 32


@cuda.jit
def shared_tiles(a, b, c):
    a_tile = cuda.shared.array((TILE, TILE), float32)
    b_tile = cuda.shared.array((TILE, TILE), float32)
    col, row = cuda.grid(2)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0)
    for first in range(0, a.shape[1], TILE):
        a_tile[y, x] = a[row, first + x] if row < a.shape[0] and first + x < a.shape[1] else float32(0)
        b_tile[y, x] = b[first + y, col] if first + y < b.shape[0] and col < b.shape[1] else float32(0)
        cuda.syncthreads()  # both tiles are complete
        for i in range(TILE):
            total += a_tile[y, i] * b_tile[i, x]
        cuda.syncthreads()  # no thread reads these tiles any more
    if row < c.shape[0] and col < c.shape[1]:
        c[row, col] = total


n = int(sys.argv[1]) if len(sys.argv) > 1 else 4001
random = np.random.default_rng(8)
a, b = random.integers(-8, 9, (2, n, n)).astype(np.float32)  # small whole numbers: the product is exact
d_a, d_b, d_c = cuda.to_device(a), cuda.to_device(b), cuda.device_array((n, n), np.float32)
blocks = (n + TILE - 1) // TILE
for what in "with the compiler", "compiled":
    start = time.perf_counter()
    shared_tiles[(blocks, blocks), (TILE, TILE)](d_a, d_b, d_c)
    cuda.synchronize()
    seconds = time.perf_counter() - start
    print(f"{what}: {1e3 * seconds:.3f} ms, {2e-12 * n**3 / seconds:.2f} TFLOP/s")
print("PASS" if np.array_equal(d_c.copy_to_host(), a @ b) else "FAIL")
