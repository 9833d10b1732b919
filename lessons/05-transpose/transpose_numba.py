# Lesson 05 in Numba: a transpose through tiles in shared memory.
#
# Run: python lessons/05-transpose/transpose_numba.py [rows cols]

import sys
import time

import numpy as np
from numba import cuda, float32

TILE, PADDED, BLOCK_ROWS = 32, 33, 8  # a block of 32 x 8 threads moves 32 x 32 elements


@cuda.jit
def tiled(source, result):
    tile = cuda.shared.array((TILE, PADDED), float32)  # one column of padding
    rows, cols = source.shape
    first_row, first_col = cuda.blockIdx.y * TILE, cuda.blockIdx.x * TILE
    x = cuda.threadIdx.x
    for y in range(cuda.threadIdx.y, TILE, BLOCK_ROWS):
        if first_row + y < rows and first_col + x < cols:
            tile[y, x] = source[first_row + y, first_col + x]
    cuda.syncthreads()  # the tile is complete
    for y in range(cuda.threadIdx.y, TILE, BLOCK_ROWS):
        if first_col + y < cols and first_row + x < rows:
            result[first_col + y, first_row + x] = tile[x, y]


rows, cols = [int(word) for word in sys.argv[1:]] or (10_000, 12_000)
source = np.arange(rows * cols, dtype=np.float32).reshape(rows, cols)
d_source, d_result = cuda.to_device(source), cuda.device_array((cols, rows), np.float32)
grid = (cols + TILE - 1) // TILE, (rows + TILE - 1) // TILE
for what in "with the compiler", "compiled":
    start = time.perf_counter()
    tiled[grid, (TILE, BLOCK_ROWS)](d_source, d_result)
    cuda.synchronize()
    seconds = time.perf_counter() - start
    print(f"{what}: {1e3 * seconds:.3f} ms, {2e-9 * source.nbytes / seconds:.1f} GB/s")
print("PASS" if np.array_equal(d_result.copy_to_host(), source.T) else "FAIL")
