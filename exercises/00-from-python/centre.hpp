// Specification of exercise 00-from-python/centre.
#pragma once

struct Point {
  float x, y;
};

// Returns the mean of n points: the mean of their x and the mean of their y. In NumPy:
// return x.mean(), y.mean(). The sums are in double, the members are floats.
//
//   x, y   n elements each: point i is at (x[i], y[i])
//   n      1 to 6 million
Point centre(const float *x, const float *y, int n);
