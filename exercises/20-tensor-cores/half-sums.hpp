// Specification of exercise 20-tensor-cores/half-sums.
#pragma once

// C = A B, computed on the device by tensor cores, with sums in half if they are good enough.
//
//   m, n, k    C is m x n, A is m x k, B is k x n; multiples of 16, from 16 to 100 000;
//              no matrix has more than 1 600 000 numbers
//   largest    no number of A and B has a larger absolute value; at least 0
//   tolerance  the largest error that an element of C may have; at least 0
//   a, b       host memory, row by row, input: finite numbers that half holds
//   c          host memory, row by row, output
//
// Returns 1 if the sums were in half, otherwise 0; then they were in float. They are in half if and
// only if both hold:
//   - k * largest^2, the largest possible sum, is at most 65504, the largest half,
//   - the error is at most `tolerance`, if each of the k / 16 calls of mma_sync changes the
//     sum by up to 2^-11 of the largest possible sum.
// Kernels load each number of A at most n / 8 times, each number of B at most m / 8 times.
// Leaves no device memory allocated.
int half_sums(int m, int n, int k, float largest, float tolerance, const float *a, const float *b,
              float *c);
