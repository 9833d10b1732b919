// The contract of exercise 10-streams/handover.
#pragma once

// Squares n numbers on the device: out[i] = in[i] * in[i]. The numbers arrive in one stream, and
// another one works with them. The host waits once, for the result.
//
//   n    numbers in each list, at least 1
//   in   host memory, n numbers, only read
//   out  host memory, n numbers, only written
//
// Leaves no device memory allocated, and no host memory pinned.
void handover(int n, const float *in, float *out);
