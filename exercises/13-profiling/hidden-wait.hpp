// Specification of exercise 13-profiling/hidden-wait.
#pragma once

// Smooths a list, on the device: in each round each value becomes the mean of itself and the next
// one, and the last value that of itself and the first one. Between the first launch of a kernel
// and the last one the host does not wait for the device.
//
//   n       at least 1
//   rounds  at least 1
//   values  n of them, in host memory, input and output
//
// Leaves no device memory allocated.
void hidden_wait(int n, int rounds, float *values);
