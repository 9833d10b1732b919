// Specification of exercise 00-from-python/extremes.
#pragma once

// Writes the smallest of the n values to *smallest and the largest to *largest. In Python:
// smallest, largest = min(values), max(values).
//
//   values     n elements, no NaN
//   n          at least 1
//   smallest   one element, written
//   largest    one element, written
void extremes(const float *values, int n, float *smallest, float *largest);
