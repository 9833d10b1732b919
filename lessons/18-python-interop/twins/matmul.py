"""Twin of lesson 08: C = A B, square matrices of floats.

Run:     python lessons/18-python-interop/twins/matmul.py [n]
Beside:  matmul-versions
"""

import numpy as np
from twin import (Twin, blocks, cuda, cuda_clock, cupy, cupy_clock, numba, on_host, sizes, torch,
                  torch_clock)

if numba:
    @numba.njit(parallel=True)
    def loops(a, b, c):
        for row in numba.prange(a.shape[0]):
            c[row, :] = 0
            for i in range(a.shape[1]):  # along a row of B, where numbers are neighbours
                for col in range(b.shape[1]):
                    c[row, col] += a[row, i] * b[i, col]
        return c

if cuda:
    @cuda.jit
    def naive(a, b, c):
        col, row = cuda.grid(2)  # neighbouring threads have neighbouring columns
        if row < c.shape[0] and col < c.shape[1]:
            total = numba.float32(0)
            for i in range(a.shape[1]):
                total += a[row, i] * b[i, col]
            c[row, col] = total

    def shared_tiles(tile, zero):
        """The kernel for tiles of tile x tile numbers, its sums of the type of `zero`."""

        @cuda.jit
        def kernel(a, b, c):
            a_tile = cuda.shared.array((tile, tile), numba.float32)
            b_tile = cuda.shared.array((tile, tile), numba.float32)
            x, y = cuda.threadIdx.x, cuda.threadIdx.y
            col, row = cuda.grid(2)
            total = zero
            for first in range(0, a.shape[1], tile):
                a_tile[y, x] = b_tile[y, x] = 0
                if row < a.shape[0] and first + x < a.shape[1]:
                    a_tile[y, x] = a[row, first + x]
                if first + y < b.shape[0] and col < b.shape[1]:
                    b_tile[y, x] = b[first + y, col]
                cuda.syncthreads()  # both tiles are loaded
                for i in range(tile):
                    total += a_tile[y, i] * b_tile[i, x]
                cuda.syncthreads()  # no thread reads them any more
            if row < c.shape[0] and col < c.shape[1]:
                c[row, col] = total

        return kernel


def matrices(m, n, k):
    """A (m x k), B (k x n) of numbers from -1 to 1, and a C that is not yet a number."""
    random = np.random.default_rng(8)
    return (random.uniform(-1, 1, (m, k)).astype(np.float32),
            random.uniform(-1, 1, (k, n)).astype(np.float32), np.full((m, n), np.nan, np.float32))


def is_product(a, b, c):
    """Freivalds' check: for a random x, C x is A (B x), up to rounding (lesson 08). In double, and
    in strips, so that no matrix is held a second time."""
    x = np.random.default_rng(18).uniform(0.5, 1, c.shape[1])

    def times(matrix, vector):
        return np.concatenate([matrix[row:row + 256].astype(np.float64) @ vector
                               for row in range(0, len(matrix), 256)])

    off = np.abs(times(c, x) - times(a, times(b, x)))
    return bool((off <= a.shape[1] * np.sqrt(c.shape[1]) * 2**-24).all())  # false with any NaN


(n,) = sizes([4096], [256])
twin = Twin(f"matmul: {n} x {n} floats", "TFLOP/s", 1e-12)
flops = 2 * n**3
for what in ("2 coalesced", "3 shared tiles, 16, double sums", "3 shared tiles, 16",
             "3 shared tiles, 32", "6 double buffers", "7 cuBLAS"):
    twin.beside("matmul-versions", f"{what}, {n}", flops, what)

odd = matrices(33, 35, 37)  # no tile divides these
whole = matrices(n, n, n)


def figure(what, product, to_device=lambda matrix: matrix, **clock):
    """product(a, b, c) returns A B, which it may write to c."""
    a, b, c = [to_device(matrix) for matrix in whole]

    def right(c):
        odd_c = product(*[to_device(matrix) for matrix in odd])
        return (is_product(*odd[:2], on_host(odd_c)) and is_product(*whole[:2], on_host(c)))

    twin.figure(what, flops, lambda: product(a, b, c), right, **clock)


figure("NumPy: a @ b", lambda a, b, c: np.matmul(a, b, out=c))
if numba:
    figure("Numba: prange, all cores", loops)
if cuda:
    def launcher(kernel, tile):
        def product(a, b, c):
            kernel[(blocks(c.shape[1], tile), blocks(c.shape[0], tile)), (tile, tile)](a, b, c)
            return c
        return product

    for what, kernel, tile in [
            ("naive", naive, 32),
            ("shared tiles, 16, double sums", shared_tiles(16, 0.0), 16),
            ("shared tiles, 16", shared_tiles(16, np.float32(0)), 16),
            ("shared tiles, 32", shared_tiles(32, np.float32(0)), 32)]:
        figure(f"Numba CUDA: {what}", launcher(kernel, tile), cuda.to_device, clock=cuda_clock)
if cupy:
    figure("CuPy: a @ b", lambda a, b, c: cupy.matmul(a, b, out=c), cupy.asarray, clock=cupy_clock)
if torch:
    figure("PyTorch: a @ b", lambda a, b, c: torch.matmul(a, b, out=c),
           lambda matrix: torch.from_numpy(matrix).cuda(), clock=torch_clock)

twin.verdict()
