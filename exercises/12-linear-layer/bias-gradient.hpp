// Specification of exercise 12-linear-layer/bias-gradient.
#pragma once

// The gradient of the mean squared error with respect to the bias of each output.
//
//   examples  rows of the errors, at least 1
//   outputs   columns of the errors, at least 1
//   error     host memory, examples x outputs numbers, row by row, input: Y - T
//   gradient  host memory, outputs numbers: all are written
//
// On the device; sums are in double.
void bias_gradient(int examples, int outputs, const float *error, float *gradient);
