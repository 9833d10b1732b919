// Specification of exercise 20-tensor-cores/edge-tiles.
#pragma once

// C = A B, computed on the device by tensor cores, with sums in float.
//
//   m, n, k  C is m x n, A is m x k, B is k x n; each from 1 to 100 000, often not a multiple of
//            16; no matrix has more than 1 100 000 numbers
//   a, b     host memory, row by row, input: numbers that half can hold, also infinity and NaN
//            (0 times infinity or NaN is NaN)
//   c        host memory, row by row, output
//
// For each tile of 16 x 16 elements of C, kernels load each number of A and B at most once from
// global memory. For each slice of 16, they load at most 1024 numbers from shared memory.
// Leaves no device memory allocated.
void edge_tiles(int m, int n, int k, const float *a, const float *b, float *c);
