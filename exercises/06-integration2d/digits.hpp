// Specification of exercise 06-integration2d/digits.
#pragma once

// Returns the energy that a heater gave to a plate, h * (power[0] + ... + power[n - 1]), in joules.
//
//   n        samples, 1 to 16 000 000
//   h        seconds between two samples, above 0
//   power    host memory, n numbers, input: the power at each sample, in watts; finite
//   threads  number of threads that may add the samples, 1 to n
//
// All sums are computed in float, and multiplied only by h. So if an intermediate sum overflows,
// the result is infinite or NaN. Otherwise the error is at most 1e-6 * h * (|power[0]| + |power[1]|
// + ...), for any n and threads.
float digits(int n, float h, const float *power, int threads);
