// Specification of exercise 00-from-python/count-above.
#pragma once

// Returns how many of the n values are larger than `limit`. In NumPy:
// return np.count_nonzero(values > limit).
//
//   values   n elements
//   n        1 to 17 million
int count_above(const float *values, int n, float limit);
