// Exercise 10-streams/handover: an event between two streams.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/10-streams/handover.cu -o handover
// Run:   ./handover
//
// One stream copies numbers to the device, and another stream squares them. Nothing makes the
// second stream wait for the copy.

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/10-streams/handover.hpp"

#include <algorithm>
#include <vector>

__global__ void square(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= x[i];
}

void handover(int n, const float *in, float *out) {
  const size_t bytes = n * sizeof(float);
  float *h_in = nullptr, *h_out = nullptr, *d_x = nullptr;
  CUDA_CHECK(cudaMallocHost(&h_in, bytes)); // pinned
  CUDA_CHECK(cudaMallocHost(&h_out, bytes));
  CUDA_CHECK(cudaMalloc(&d_x, bytes));
  std::copy(in, in + n, h_in);

  cudaStream_t bringing, working;
  cudaEvent_t arrived;
  CUDA_CHECK(cudaStreamCreateWithFlags(&bringing, cudaStreamNonBlocking));
  CUDA_CHECK(cudaStreamCreateWithFlags(&working, cudaStreamNonBlocking));
  CUDA_CHECK(cudaEventCreate(&arrived));

  CUDA_CHECK(cudaMemcpyAsync(d_x, h_in, bytes, cudaMemcpyHostToDevice, bringing));

  // TODO 1: record the event `arrived` after the copy, and make `working` wait for it
  // TODO end

  square<<<(n + 255) / 256, 256, 0, working>>>(d_x, n);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpyAsync(h_out, d_x, bytes, cudaMemcpyDeviceToHost, working));
  CUDA_CHECK(cudaStreamSynchronize(working));
  std::copy(h_out, h_out + n, out);

  CUDA_CHECK(cudaEventDestroy(arrived));
  CUDA_CHECK(cudaStreamDestroy(bringing));
  CUDA_CHECK(cudaStreamDestroy(working));
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFreeHost(h_in));
  CUDA_CHECK(cudaFreeHost(h_out));
}

int main() {
  course::print_device();
  const int n = course::problem_size(10'000'000, 1'000'003);
  std::vector<float> in(n), out(n);
  for (int i = 0; i < n; ++i)
    in[i] = i % 4001;
  handover(n, in.data(), out.data());
  return course::verdict(course::verify("out", out.data(), n, [&](size_t i) {
    return in[i] * in[i]; // below 2^24: no rounding
  }));
}
