// Specification of exercise 12-linear-layer/gradient-check.
#pragma once

// Checks a gradient with estimates that the device computes. The loss is the mean squared error of
// a layer with one output: the mean over all examples of
// (x[row][0] w[0] + x[row][1] w[1] + ... - target[row])^2. It is at most 100 000 times as large as
// the largest derivative (in absolute value), unless all of x is 0.
//
//   examples  rows of x, 1 to 100 000
//   features  columns of x, 1 to 5000; x has at most 1 000 000 numbers
//   x         host memory, examples x features numbers, row by row, input
//   target    host memory, examples numbers, input
//   w         host memory, features numbers from -1 to 1, input
//   gradient  host memory, features numbers, input: the gradient to check
//   estimate  host memory, features numbers, output: the derivatives with respect to the weights;
//             no error is larger than one millionth of the largest derivative
//
// Returns the first i for which gradient[i] is NaN, or differs from estimate[i] by more than 1/1000
// of the largest estimate (in absolute value); -1 if there is none.
int gradient_check(int examples, int features, const double *x, const double *target,
                   const double *w, const double *gradient, double *estimate);
