// Specification of exercise 12-linear-layer/bias-gradient.
#pragma once

// The gradient of the mean squared error with respect to the bias of each output, computed on the
// device with sums in double.
//
//   examples  rows of `error`, 1 to 200 000
//   outputs   columns of `error`, 1 to 200 000; `error` has at most 30 000 000 numbers
//   error     host memory, examples x outputs numbers, row by row, input: outputs minus targets
//   gradient  host memory, outputs numbers, output, written completely
void bias_gradient(int examples, int outputs, const float *error, float *gradient);
