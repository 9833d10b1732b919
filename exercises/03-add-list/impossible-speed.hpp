// The contract of exercise 03-add-list/impossible-speed.
#pragma once

struct Measurement {
  double seconds; // from the launch until the kernel has ended
  int error;      // 0, or the number of the CUDA error that the launch ended with
};

// Adds x to y `times` times, y[i] = y[i] + x[i], in one kernel, and measures that kernel. Before it
// at most three others may run that add nothing, to warm up.
//
//   n      elements of x and of y, at least 1
//   times  additions to each element, one after the other, at least 1
//   x      host memory, n numbers, only read
//   y      host memory, n numbers, read and written; as it was when the launch fails
//   block  threads of a block, at least 1; a block that is too large is reported in `error`
Measurement impossible_speed(int n, int times, const float *x, float *y, int block);
