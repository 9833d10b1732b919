// Specification of exercise 14-multi-gpu/not-yet-there.
#pragma once

// The sums of the columns of a matrix, on all GPUs. Each GPU has an equal share of the rows, and no
// memory for two shares. GPU 0 adds the sums of all shares.
//
//   rows, columns  of the matrix: each at least 1, columns up to 20 million, and fewer than 2^31
//                  numbers; rows may be less than the number of GPUs
//   x              host memory, row after row, input
//   sums           host memory, `columns` elements, output
//
// Leaves no device memory allocated.
void not_yet_there(int rows, int columns, const float *x, float *sums);
