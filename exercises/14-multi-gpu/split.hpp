// Specification of exercise 14-multi-gpu/split.
#pragma once

// Multiplies a list by a factor on all GPUs: out[i] = factor * in[i]. Each GPU has a share of the
// list, of n / (number of GPUs) elements, rounded up, at most, and no GPU has memory for more. All
// GPUs work at the same time, and one thread of the host gives them their work.
//
//   n       numbers in each list, 1 to 500 million; may be fewer than GPUs
//   factor  the same for all numbers
//   in      host memory, n numbers, input
//   out     host memory, n numbers, output
//
// Leaves no device memory allocated, and no host memory pinned.
void split(int n, float factor, const float *in, float *out);
