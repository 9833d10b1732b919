// Specification of exercise 00-from-python/gigabytes.
#pragma once

// Returns how many GB (10^9 bytes) a matrix of floats occupies. In Python:
// return rows * cols * 4 / 10**9.
//
//   rows, cols   1 to 1000000 each
double gigabytes(int rows, int cols);
