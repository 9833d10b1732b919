// Specification of exercise 13-profiling/device-busy.
#pragma once

// Returns the time, in seconds, during which the device runs at least one kernel or copy, in any of
// its streams. If several of them run at the same time, this time counts once.
//
//   n      the number of kernels and copies: at least 1
//   begin  when each of them begins, in seconds, in ascending order; input
//   end    when each of them ends, not before it begins; input
double device_busy(int n, const double *begin, const double *end);
