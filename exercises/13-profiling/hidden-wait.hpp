// Specification of exercise 13-profiling/hidden-wait.
#pragma once

// Smooths an array on the device. In every round, each value becomes the mean of itself and the
// next value; the first value follows the last one. Between the first and the last kernel launch
// the host does not wait for the device.
//
//   n       1 to 20 million
//   rounds  at least 1
//   values  n values, in host memory, input and output
//
// Leaves no device memory allocated.
void hidden_wait(int n, int rounds, float *values);
