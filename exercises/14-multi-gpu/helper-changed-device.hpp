// Specification of exercise 14-multi-gpu/helper-changed-device.
#pragma once

// Squares n numbers on one of the GPUs: out[i] = in[i] * in[i]. The list goes through the GPU in
// chunks, and a chunk takes a quarter of the memory that is free on the fullest GPU at most.
//
//   n     numbers in each list, at least 1
//   task  at least 0: the GPU is number task % (number of GPUs)
//   in    host memory, n numbers, input
//   out   host memory, n numbers, output
//
// Leaves no device memory allocated.
void helper_changed_device(int n, int task, const float *in, float *out);
