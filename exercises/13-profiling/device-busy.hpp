// Specification of exercise 13-profiling/device-busy.
#pragma once

// Returns in how many seconds of a timeline the device does something: the kernels and copies of
// all its streams together. Where several run at the same time, that time counts once.
//
//   n      how many kernels and copies: at least 1
//   begin  of each, in seconds, in ascending order; only read
//   end    of each, not before its begin; only read
double device_busy(int n, const double *begin, const double *end);
