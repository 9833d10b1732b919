// Exercise 14-multi-gpu/split: an array on all GPUs.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/14-multi-gpu/split.cu -o split
// Run:   ./split
//
// On the CPU backend, with three devices:
//   COURSE_CPU_DEVICES=3 ./course --backend cpu run split

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/14-multi-gpu/split.hpp"

#include <vector>

__global__ void scale(float *x, int n, float factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= factor;
}

void split(int n, float factor, const float *in, float *out) {
  int gpus = 0;
  CUDA_CHECK(cudaGetDeviceCount(&gpus));
  // Pinned for all GPUs (portable), so no copy makes the host wait.
  const size_t all = n * sizeof(float);
  CUDA_CHECK(cudaHostRegister(const_cast<float *>(in), all, cudaHostRegisterPortable));
  CUDA_CHECK(cudaHostRegister(out, all, cudaHostRegisterPortable));

  std::vector<float *> d_share(gpus, nullptr);
  for (int gpu = 0, first = 0; gpu < gpus; ++gpu) {
    // TODO 1: compute the number of elements of this GPU
    const int count = 0;
    // TODO end
    if (count == 0)
      continue;

    // TODO 2: on this GPU: allocate, copy to the device, launch, copy back; do not wait
    // TODO end
    first += count;
  }

  for (int gpu = 0; gpu < gpus; ++gpu) {
    CUDA_CHECK(cudaSetDevice(gpu));
    CUDA_CHECK(cudaDeviceSynchronize()); // waits for this GPU only
    CUDA_CHECK(cudaFree(d_share[gpu]));
  }
  CUDA_CHECK(cudaSetDevice(0));
  CUDA_CHECK(cudaHostUnregister(const_cast<float *>(in)));
  CUDA_CHECK(cudaHostUnregister(out));
}

int main() {
  course::print_device();
  const int n = course::problem_size(20'000'000, 1'000'003);
  std::vector<float> in(n), out(n, -1.0f);
  for (int i = 0; i < n; ++i)
    in[i] = i % 4001;
  split(n, 0.5f, in.data(), out.data());
  return course::verdict(
      course::verify("out", out.data(), n, [&](size_t i) { return 0.5f * in[i]; }));
}
