// Exercise 14-multi-gpu/helper-changed-device: a bug hunt. Right with one GPU, an error with two.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/14-multi-gpu/helper-changed-device.cu -o helper
// Run:   ./helper
//
// On the CPU backend, with two devices:
//   COURSE_CPU_DEVICES=2 ./course --backend cpu run helper-changed-device

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/14-multi-gpu/helper-changed-device.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

__global__ void square(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= x[i];
}

// The number of free bytes on the GPU with the least free memory.
size_t least_free_memory(int gpus) {
  size_t least = SIZE_MAX;
  // TODO 1: find the bug: what does this function change that its caller does not expect?
  for (int gpu = 0; gpu < gpus; ++gpu) {
    CUDA_CHECK(cudaSetDevice(gpu));
    size_t unused, total;
    CUDA_CHECK(cudaMemGetInfo(&unused, &total));
    least = std::min(least, unused);
  }
  // TODO end
  return least;
}

void helper_changed_device(int n, int task, const float *in, float *out) {
  int gpus = 0;
  CUDA_CHECK(cudaGetDeviceCount(&gpus));
  CUDA_CHECK(cudaSetDevice(task % gpus));
  cudaStream_t stream;
  CUDA_CHECK(cudaStreamCreate(&stream));
  const size_t fits = least_free_memory(gpus) / 4 / sizeof(float);
  const int chunk = int(std::min(size_t(n), std::max(fits, size_t(1))));
  float *d_x;
  CUDA_CHECK(cudaMalloc(&d_x, chunk * sizeof(float)));

  for (int first = 0; first < n; first += chunk) {
    const int count = std::min(chunk, n - first);
    const size_t bytes = count * sizeof(float);
    CUDA_CHECK(cudaMemcpyAsync(d_x, in + first, bytes, cudaMemcpyHostToDevice, stream));
    square<<<(count + 255) / 256, 256, 0, stream>>>(d_x, count);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpyAsync(out + first, d_x, bytes, cudaMemcpyDeviceToHost, stream));
  }
  CUDA_CHECK(cudaStreamSynchronize(stream));
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaStreamDestroy(stream));
}

int main() {
  course::print_device();
  const int n = course::problem_size(10'000'000, 1'000'003);
  std::vector<float> in(n), out(n);
  for (int i = 0; i < n; ++i)
    in[i] = i % 4001;
  helper_changed_device(n, 0, in.data(), out.data());
  return course::verdict(course::verify("out", out.data(), n, [&](size_t i) {
    return in[i] * in[i]; // below 2^24: no rounding
  }));
}
