// Specification of exercise 08-matmul/gram.
#pragma once

// G = X^T Y, computed on the device: g[i][j] is the sum of x[s][i] * y[s][j] over all samples s.
// With Y = X it is called the Gram matrix of X.
//
//   samples  rows of X and of Y, 1 to 100 000
//   m, n     columns of X and of Y, each 1 to 100 000; G is m x n. No matrix has more than
//            1 000 000 numbers.
//   x, y     host memory, row by row, input; 0 times infinity or NaN is NaN. Finite numbers,
//            products and sums are 0, or of a size from 1e-37 to 1e37.
//   g        host memory, row by row, output
//
// For each tile of 32 x 32 elements of G and each 16 samples, kernels load at most 1024 numbers
// from global memory, which is 16 rows of whole tiles of X and Y. They load each element of G at
// most 8 times.
// Leaves no device memory allocated.
void gram(int samples, int m, int n, const float *x, const float *y, float *g);
