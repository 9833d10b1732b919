// Specification of exercise 10-streams/handover.
#pragma once

// Squares n numbers on the device: out[i] = in[i] * in[i]. Where they arrive in one stream and
// another one works with them, that one waits for them, and not the host: the host waits once at
// most for work that is not done, for the result. A loop of queries counts as one wait.
//
//   n    numbers in each list, 1 to 10 million
//   in   host memory, n numbers, input
//   out  host memory, n numbers, output
//
// Leaves no device memory allocated, and no host memory pinned.
void handover(int n, const float *in, float *out);
