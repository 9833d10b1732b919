// Specification of exercise 03-add-list/axpby.
#pragma once

// y[i] = a * x[i] + b * y[i] for each i in 0 to n - 1, computed on the device.
//
//   n     elements of x and of y, 1 to 17 million
//   a, b  factors, also infinite ones; 0 is not a special case, nor is it in x or y: 0 times
//         infinity or NaN is NaN
//   x     host memory, n numbers, input
//   y     host memory, n numbers, input and output
//
// A launch that fails ends the program, and prints CUDA's description of the error. Leaves no
// device memory allocated; may be called any number of times, with other sizes.
void axpby(int n, float a, const float *x, float b, float *y);
