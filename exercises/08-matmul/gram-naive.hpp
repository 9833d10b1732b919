// Specification of exercise 08-matmul/gram-naive.
#pragma once

// G = X^T Y, computed on the device: g[i][j] is the sum of x[s][i] * y[s][j] over all samples s.
//
//   samples  rows of X and of Y, 1 to 100 000
//   m, n     columns of X and of Y, each 1 to 100 000; G is m x n
//   x, y     host memory, row by row, input; 0 times infinity or NaN is NaN
//   g        host memory, row by row, output
//
// Leaves no device memory allocated.
void gram_naive(int samples, int m, int n, const float *x, const float *y, float *g);
