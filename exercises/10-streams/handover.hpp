// Specification of exercise 10-streams/handover.
#pragma once

// Squares n numbers on the device: out[i] = in[i] * in[i]. If one stream copies them and another
// one squares them, the second stream waits for the first, and not the host: the host waits at most
// once for unfinished work, for the result. A loop of queries counts as one wait.
//
//   n    numbers in each array, 1 to 10 million
//   in   host memory, n numbers, input
//   out  host memory, n numbers, output
//
// Leaves no device memory allocated, and neither array pinned.
void handover(int n, const float *in, float *out);
