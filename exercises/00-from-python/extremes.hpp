// Specification of exercise 00-from-python/extremes.
#pragma once

// Writes the smallest of the n values to *smallest and the largest to *largest. In Python:
// smallest, largest = min(values), max(values).
//
//   values     n elements, no NaN, input
//   n          1 to 6 million
//   smallest   one element, output
//   largest    one element, output
void extremes(const float *values, int n, float *smallest, float *largest);
