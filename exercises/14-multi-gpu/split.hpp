// Specification of exercise 14-multi-gpu/split.
#pragma once

// Multiplies an array by a factor on all GPUs: out[i] = factor * in[i]. Each GPU has a share of at
// most n / (number of GPUs) elements, rounded up, and no memory for more. All GPUs work at the same
// time.
//
//   n       number of elements, 1 to 20 million; may be less than the number of GPUs
//   factor  the same for all elements
//   in      host memory, n elements, input
//   out     host memory, n elements, output
//
// Leaves no device memory allocated, and neither array pinned.
void split(int n, float factor, const float *in, float *out);
