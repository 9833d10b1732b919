// Specification of exercise 08-matmul/odd-tiles.
#pragma once

// C = alpha A B + beta C, computed on the device. Tiles in shared memory save loads: for each tile
// of 8 x 32 elements of C and each 16 of k, kernels load at most 640 numbers from global memory,
// which is a whole tile of A and one of B. They load each number of C at most 8 times.
//
//   m, n, k  C is m x n, A is m x k, B is k x n; each 1 to 100 000, often a prime. No matrix has
//            more than 1 000 000 numbers.
//   alpha    factor of the product, finite. If it is 0, all of A and B is finite as well.
//   a, b     host memory, row by row, input; 0 times infinity or NaN is NaN. Finite numbers,
//            products and sums are 0, or of a size from 1e-37 to 1e37.
//   beta     factor of the old C, finite. If it is 0, the old C has no effect, even if it is NaN or
//            infinite.
//   c        host memory, row by row, input and output
//
// Leaves no device memory allocated.
void odd_tiles(int m, int n, int k, float alpha, const float *a, const float *b, float beta,
               float *c);
