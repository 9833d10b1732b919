// Specification of exercise 08-matmul/late-barrier.
#pragma once

// C = A B, computed on the device.
//
//   m, n, k  C is m x n, A is m x k, B is k x n; each 1 to 100 000. No matrix has more than
//            1 000 000 numbers.
//   a, b     host memory, row by row, input; 0 times infinity or NaN is NaN. Finite numbers,
//            products and sums are 0, or of a size from 1e-37 to 1e37.
//   c        host memory, row by row, output
//
// Leaves no device memory allocated.
void late_barrier(int m, int n, int k, const float *a, const float *b, float *c);
