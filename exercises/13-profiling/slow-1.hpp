// Specification of exercise 13-profiling/slow-1.
#pragma once

// Moves heat down a field, on the device. In every round, each value becomes the mean of itself and
// the value above it; the row above the first row is the last row.
// There are at most two copies. Kernels must not be used as copies: in each round, all kernels
// together store each value once. Between the first launch and the last one the host does not wait.
//
//   rows, cols  1 to 10000 each
//   rounds      at least 1
//   field       rows * cols values, row by row, in host memory, input and output
//
// Leaves no device memory allocated.
void slow_1(int rows, int cols, int rounds, float *field);
