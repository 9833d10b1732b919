// Specification of exercise 20-tensor-cores/swapped-layout.
#pragma once

// S = Q K^T, computed on the device by tensor cores, with sums in float: s[i][j] is the sum of
// q[i][d] * k[j][d] over all d.
//
//   queries  rows of Q; keys: rows of K; depth: columns of Q and of K; multiples of 16, from 16 to
//            50 000; no matrix has more than 800 000 numbers
//   q, k     host memory, row by row, input: finite numbers that half holds
//   s        host memory, row by row, output: queries x keys
//
// Leaves no device memory allocated.
void swapped_layout(int queries, int keys, int depth, const float *q, const float *k, float *s);
