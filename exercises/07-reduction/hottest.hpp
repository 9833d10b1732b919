// Specification of exercise 07-reduction/hottest.
#pragma once

struct Hottest {
  float degrees; // the largest of the array
  int cell;      // its index, from 0 to n - 1: the lowest if several cells are equally hot
};

// Finds the hottest of n cells on the device. From 300 cells on, all its kernels together load at
// most 6 n numbers.
//
//   n        cells, 1 to 17 000 000
//   degrees  host memory, n numbers, none NaN or infinite, input; all may be negative
//
// Leaves no device memory allocated.
Hottest hottest(int n, const float *degrees);
