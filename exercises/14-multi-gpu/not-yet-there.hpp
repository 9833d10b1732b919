// Specification of exercise 14-multi-gpu/not-yet-there.
#pragma once

// The sums of the columns of a matrix, on all GPUs. Each GPU has a share of at most
// rows / (number of GPUs), rounded up, and no memory for two shares. GPU 0 adds the sums of all
// shares.
//
//   rows, columns  of the matrix: at most 65 000 rows, and at most 20 million numbers; rows may be
//                  less than the number of GPUs
//   x              host memory, row after row, input
//   sums           host memory, `columns` elements, output
//
// Leaves no device memory allocated.
void not_yet_there(int rows, int columns, const float *x, float *sums);
