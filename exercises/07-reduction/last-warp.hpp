// Specification of exercise 07-reduction/last-warp.
#pragma once

// Adds an array block by block: sums[b] = x[b * block] + ... + x[b * block + block - 1]. The last
// block may have fewer numbers.
//
//   n      numbers in x, 1 to 4 300 000
//   x      host memory, n numbers, at most 1e30 or not finite, input
//   sums   host memory, one number for each block, (n + block - 1) / block of them, output
//   block  threads per block, in x: 64, 128, 256, 512 or 1024
//
// Leaves no device memory allocated.
void last_warp(int n, const float *x, float *sums, int block);
