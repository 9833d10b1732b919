// Specification of exercise 12-linear-layer/gradient-check.
#pragma once

// Checks a gradient by an estimate that the device makes. The loss is the mean squared error of a
// layer with one output: the mean over the examples of
// (x[row][0] w[0] + x[row][1] w[1] + ... - target[row])^2. It is at most 100 000 times as large as
// the largest derivative (by its absolute value), or all of x is 0.
//
//   examples  rows of x, at least 1
//   features  columns of x, 1 to 5000
//   x         host memory, examples x features numbers, row by row, input
//   target    host memory, examples numbers, input
//   w         host memory, features numbers, input
//   gradient  host memory, features numbers, input: what somebody says the gradient is
//   estimate  host memory, features numbers: the derivative of the loss by each weight, right to
//             one millionth of the largest one
//
// Returns the first i for which gradient[i] is not within 1/1000 of the largest estimate (by its
// absolute value) of estimate[i], or is NaN; -1 if there is none.
int gradient_check(int examples, int features, const double *x, const double *target,
                   const double *w, const double *gradient, double *estimate);
