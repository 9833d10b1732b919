// Specification of exercise 00-from-python/column.
#pragma once

// out[row] = the element of `matrix` in row `row` and column `col`, for every row. In NumPy:
// out[:] = matrix[:, col].
//
//   matrix   rows * cols elements, stored row by row (row-major), input
//   rows     1 to 100000
//   cols     1 to 100000, and at most 17 million elements in all
//   col      0 to cols - 1
//   out      rows elements, output
void column(const float *matrix, int rows, int cols, int col, float *out);
