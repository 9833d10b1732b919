// Specification of exercise 21-scan/in-place.
#pragma once

// The running sums of each block: sums[i] is the sum of x from the first number of its block to
// x[i]. Block b has the numbers b * block to b * block + block - 1. The last block may have fewer.
//
//   n      numbers in x, 1 to 2 100 000
//   x      host memory, n numbers, input; no sum of neighbours in a block exceeds an int
//   sums   host memory, n numbers, output
//   block  threads per block: 32, 64, 128, 256, 512 or 1024
//
// Leaves no device memory allocated.
void in_place(int n, const int *x, int *sums, int block);
