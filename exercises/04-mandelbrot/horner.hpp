// Specification of exercise 04-mandelbrot/horner.
#pragma once

// Evaluates a polynomial at n points: y[i] = c[0] + c[1] x[i] + c[2] x[i]^2 + ... + c[degree]
// x[i]^degree, computed on the device.
//
//   n       points, 1 to 2 million
//   degree  of the polynomial, 0 to 2000; n * (degree + 1) is at most 20 million
//   c       host memory, degree + 1 coefficients, input
//   x       host memory, n numbers, input; no c and no power of x is above 1e150
//   y       host memory, n numbers, output
//
// One kernel is launched, and it writes every y once. Leaves no device memory allocated.
void horner(int n, int degree, const double *c, const double *x, double *y);
