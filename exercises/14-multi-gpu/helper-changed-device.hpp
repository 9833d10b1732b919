// Specification of exercise 14-multi-gpu/helper-changed-device.
#pragma once

// Squares n numbers on one of the GPUs: out[i] = in[i] * in[i]. The array passes through the GPU in
// chunks. A chunk takes at most a quarter of the free memory of the fullest GPU.
//
//   n     number of elements, 1 to 20 million
//   task  at least 0: the GPU has the index task % (number of GPUs)
//   in    host memory, n elements, input
//   out   host memory, n elements, output
//
// Leaves no device memory allocated.
void helper_changed_device(int n, int task, const float *in, float *out);
