// Lesson 14: y = a x + b on all GPUs of one node. Then GPU 0 gathers the whole result.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/14-multi-gpu/multi-gpu.cu -o multi-gpu
// Run:   ./multi-gpu
#include "common/buffer.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <cstddef>
#include <cstdio>
#include <utility>
#include <vector>

struct Gpu {
  int device, first, count;   // its share: elements first to first + count - 1
  course::Buffer<float> x, y; // in its memory; on GPU 0, y has room for all elements
  cudaStream_t stream = nullptr;
  cudaEvent_t done = nullptr; // its share of y is computed
};

__global__ void linear(float a, const float *x, float b, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + b;
}

std::vector<Gpu> set_up(int devices, const std::vector<float> &x) {
  std::vector<Gpu> gpus;
  const long n = x.size();
  for (int device = 0; device < devices; ++device) {
    // [set-up]
    const long first = n * device / devices, count = n * (device + 1) / devices - first;
    CUDA_CHECK(cudaSetDevice(device)); // the following calls are for this GPU
    Gpu gpu{device, int(first), int(count), course::Buffer<float>(count),
            course::Buffer<float>(device == 0 ? n : count)};
    CUDA_CHECK(cudaStreamCreate(&gpu.stream));
    CUDA_CHECK(cudaEventCreate(&gpu.done));
    CUDA_CHECK(cudaMemcpy(gpu.x.data(), &x[first], gpu.x.bytes(), cudaMemcpyHostToDevice));
    // [end]
    gpus.push_back(std::move(gpu));
  }
  return gpus;
}

void work(const std::vector<Gpu> &gpus, float a, bool gathers) {
  // [compute]
  for (const Gpu &gpu : gpus) {
    CUDA_CHECK(cudaSetDevice(gpu.device));
    linear<<<(gpu.count + 255) / 256, 256, 0, gpu.stream>>>(a, gpu.x.data(), 0.5, gpu.y.data(),
                                                            gpu.count);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaEventRecord(gpu.done, gpu.stream));
  }
  // [end]
  // [gather]
  for (std::size_t k = 1; gathers && k < gpus.size(); ++k) {
    const Gpu &to = gpus[0], &from = gpus[k];
    CUDA_CHECK(cudaStreamWaitEvent(to.stream, from.done)); // GPU 0 waits, the host does not
    CUDA_CHECK(cudaMemcpyPeerAsync(to.y.data() + from.first, to.device, from.y.data(), from.device,
                                   from.count * sizeof(float), to.stream));
  }
  // [end]
  for (const Gpu &gpu : gpus)
    CUDA_CHECK(cudaStreamSynchronize(gpu.stream));
}

// Enables peer access for all pairs of GPUs that can have it. Returns the number of these pairs.
int enable_peer_access(int devices) {
  int pairs = 0;
  for (int device = 0; device < devices; ++device)
    for (int peer = 0; peer < devices; ++peer) {
      int possible; // 0 if peer == device
      CUDA_CHECK(cudaDeviceCanAccessPeer(&possible, device, peer));
      CUDA_CHECK(cudaSetDevice(device));
      if (possible)
        CUDA_CHECK(cudaDeviceEnablePeerAccess(peer, 0));
      pairs += possible;
    }
  return pairs;
}

int main() {
  course::print_device();
  const long n = course::problem_size(400'000'003, 1'000'003); // fewer without a GPU
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; ++i)
    x[i] = i % 1009;

  int devices;
  CUDA_CHECK(cudaGetDeviceCount(&devices));
  const std::vector<Gpu> gpus = set_up(devices, x);
  std::printf("GPUs: %d, elements: %ld\n\n", devices, n);

  bool correct = true;
  const auto run = [&](const char *name, float a, bool gathers) { // a: a different one in each run
    work(gpus, a, true); // not timed; gathers, because the result is verified on GPU 0
    const double seconds = course::host_seconds(11, [&] { work(gpus, a, gathers); });
    CUDA_CHECK(cudaMemcpy(y.data(), gpus[0].y.data(), gpus[0].y.bytes(), cudaMemcpyDeviceToHost));
    correct &= course::verify(name, y.data(), n, [&](auto i) { return a * x[i] + 0.5; });
    std::printf("  %-40s %8.3f ms\n", name, 1e3 * seconds);
  };
  run("compute", 2, false);
  run("compute and gather", 3, true);
  const int pairs = enable_peer_access(devices);
  run("compute and gather, with peer access", 4, true);
  std::printf("peer access: %d of %d pairs of GPUs\n", pairs, devices * (devices - 1));

  for (const Gpu &gpu : gpus) {
    CUDA_CHECK(cudaStreamDestroy(gpu.stream));
    CUDA_CHECK(cudaEventDestroy(gpu.done));
  }
  return course::verdict(correct);
}
