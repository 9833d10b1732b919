// Plain OpenMP loops: what the kernels of bench.cu are measured against.
#pragma once

namespace loops {

// c = a + b, n elements
void add(const float *a, const float *b, float *c, int n);

// c = a * b, n x n, row-major: the dot products one by one, as the naive kernel does
void matmul_naive(const float *a, const float *b, float *c, int n);

// the same with rows of b in the inner loop and four rows of c at a time; n is a multiple of 4
void matmul(const float *a, const float *b, float *c, int n);

// inner points of `to` = mean of their four neighbours in `from`, n x n
void jacobi(const float *from, float *to, int n);

// the sum of each run of 256 elements; n is a multiple of 256
void block_sums(const float *values, float *sums, int n);

} // namespace loops
