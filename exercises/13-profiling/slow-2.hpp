// Specification of exercise 13-profiling/slow-2.
#pragma once

// Moves heat down a field, on the device. In every round, each value becomes the mean of itself and
// the value above it; the row above the first row is the last row.
// There are at most as many launches as rounds, and at most two copies. Between the first launch
// and the last one the host does not wait.
//
//   rows, cols  1 to 10000 each, rows * cols at most 17 million
//   rounds      1 to 150
//   field       rows * cols values from -2000 to 2000, row by row, in host memory, input and output
//
// The result is right to 1e-6 times the largest absolute value, or to 1e-6 if that is below 1.
// Leaves no device memory allocated.
void slow_2(int rows, int cols, int rounds, float *field);
