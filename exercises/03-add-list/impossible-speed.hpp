// Specification of exercise 03-add-list/impossible-speed.
#pragma once

struct Measurement {
  double seconds; // of the launch and the kernel until its end, without the copies
  int error;      // 0, or the CUDA error code of the launch
};

// Adds x to y `times` times, y[i] = y[i] + x[i], and measures the kernel that does so. Up to three
// other kernels may run first, to warm up. Leaves no device memory allocated, and no CUDA error for
// the next cudaGetLastError.
//
//   n      elements of x and of y, 1 to 70 million
//   times  additions to each element, one after the other, 1 to 1 million
//   x      host memory, n numbers, input
//   y      host memory, n numbers, input and output; unchanged if the launch fails
//   block  threads per block, 1 to 100000; a block that is too large is reported in `error`
Measurement impossible_speed(int n, int times, const float *x, float *y, int block);
