// Specification of exercise 06-integration2d/digits.
#pragma once

// The energy that went into a plate, h (power[0] + ... + power[n - 1]), in joules.
//
//   n        samples, 1 to 16 000 000
//   h        seconds between two samples, above 0
//   power    host memory, n numbers, input: the power at each sample, in watts; finite
//   threads  how many threads may add the samples, 1 to n
//
// Computed in float throughout, and multiplied by h only, so where an intermediate sum overflows,
// the answer is infinite or NaN. Else the error is at most
// 1e-6 times h (|power[0]| + |power[1]| + ...), whatever n and threads are.
float digits(int n, float h, const float *power, int threads);
