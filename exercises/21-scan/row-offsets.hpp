// Specification of exercise 21-scan/row-offsets.
#pragma once

// Computes where each row of a sparse matrix begins, if all its numbers are stored row by row:
// offsets[r] = counts[0] + ... + counts[r - 1]. offsets[0] is 0, and offsets[rows] is the total
// number of elements.
//
//   rows     rows, 1 to 2 000 000
//   counts   host memory, the numbers in each row, from 0 to 2 147 483 647, input
//   offsets  host memory, rows + 1 numbers, output
//
// Leaves no device memory allocated.
void row_offsets(int rows, const int *counts, long long *offsets);
