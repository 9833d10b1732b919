// The contract of exercise 06-integration2d/digits.
#pragma once

// The energy that went into a plate, h (power[0] + ... + power[n - 1]), in joules.
//
//   n        samples, at least 1
//   h        seconds between two samples
//   power    host memory, n numbers, only read: the power at each sample, in watts
//   threads  threads that add the samples, 1 to n
//
// Computed in float throughout, so where an intermediate sum overflows, the answer is infinite or
// NaN. Else the error is at most 1e-6 times h (|power[0]| + |power[1]| + ...),
// whatever n and threads are.
float digits(int n, float h, const float *power, int threads);
