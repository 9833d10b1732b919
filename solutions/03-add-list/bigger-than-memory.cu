// Exercise 03-add-list/bigger-than-memory: an array in chunks.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/03-add-list/bigger-than-memory.cu -o bigger-than-memory
// Run:   ./bigger-than-memory
//
// An array that does not fit into device memory is processed in chunks: copy a chunk, compute, copy
// it back. The last chunk is usually smaller.

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/03-add-list/bigger-than-memory.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

// In place, so one array on the device is enough.
__global__ void to_kelvin(float *degrees, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    degrees[i] += 273.15f;
}

void bigger_than_memory(int n, const float *celsius, float *kelvin, int device_bytes) {
  // TODO 1: how many numbers fit into a chunk?
  const int chunk = std::min(n, device_bytes / int(sizeof(float)));
  // TODO end

  float *d_degrees = nullptr;
  CUDA_CHECK(cudaMalloc(&d_degrees, chunk * sizeof(float)));

  for (int first = 0; first < n; first += chunk) {
    // TODO 2: how many numbers does the chunk that begins at `first` have?
    const int count = std::min(chunk, n - first);
    // TODO end
    if (count == 0)
      break; // nothing to do: TODO 2 is not filled in

    // TODO 3: copy this chunk to the device
    CUDA_CHECK(
        cudaMemcpy(d_degrees, celsius + first, count * sizeof(float), cudaMemcpyHostToDevice));
    // TODO end

    to_kelvin<<<(count + 255) / 256, 256>>>(d_degrees, count);
    CUDA_CHECK(cudaGetLastError());

    // TODO 4: copy this chunk to its place in the result
    CUDA_CHECK(
        cudaMemcpy(kelvin + first, d_degrees, count * sizeof(float), cudaMemcpyDeviceToHost));
    // TODO end
  }
  CUDA_CHECK(cudaFree(d_degrees));
}

// weak: a program that links this file may have its own main.
__attribute__((weak)) int main() {
  course::print_device();
  const int n = 1000003, device_bytes = 256 * 1024 + 2; // 65536 numbers, and half of one
  std::vector<float> celsius(n), kelvin(n, -1.0f);
  for (int i = 0; i < n; ++i)
    celsius[i] = 0.25f * (i % 4001) - 200;

  bigger_than_memory(n, celsius.data(), kelvin.data(), device_bytes);
  if (std::all_of(kelvin.begin(), kelvin.end(), [](float k) { return k == -1; })) {
    std::puts("no result yet: fill in TODO 1 to TODO 4");
    return 1;
  }
  std::printf("%d numbers through %d bytes of device memory\n", n, device_bytes);
  return course::verdict(
      course::verify("kelvin", kelvin.data(), n, [&](size_t i) { return celsius[i] + 273.15f; }));
}
