// Exercise 10-streams/chunks: an array in chunks, with copies and kernels at the same time.
//
// Build: nvcc -O3 -I. exercises/{10-streams/chunks,03-add-list/bigger-than-memory}.cu -o chunks
// Run:   ./chunks
//
// The program also runs your bigger-than-memory of lesson 03, which waits after each step. A
// compiler error in bigger-than-memory.cu belongs to that exercise.

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"
#include "exercises/03-add-list/bigger-than-memory.hpp"
#include "exercises/10-streams/chunks.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

constexpr int STREAMS = 4;

// Works in place, so one buffer per stream is enough.
__global__ void add_zero_point(float *degrees, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    degrees[i] += 273.15f;
}

void chunks(int n, const float *celsius, float *kelvin, int device_bytes) {
  // TODO 1: how many numbers does a chunk have? Each stream has a buffer for one chunk.
  const int chunk = 0;
  // TODO end
  if (chunk == 0)
    return; // TODO 1 is not filled in

  const size_t bytes = n * sizeof(float);
  // Pins memory that already exists, so the device copies it without the host.
  CUDA_CHECK(cudaHostRegister(const_cast<float *>(celsius), bytes, cudaHostRegisterDefault));
  CUDA_CHECK(cudaHostRegister(kelvin, bytes, cudaHostRegisterDefault));
  cudaStream_t streams[STREAMS];
  float *d_degrees[STREAMS];
  for (int k = 0; k < STREAMS; ++k) {
    CUDA_CHECK(cudaStreamCreate(&streams[k]));
    CUDA_CHECK(cudaMalloc(&d_degrees[k], chunk * sizeof(float)));
  }

  int k = 0; // the stream of this chunk
  for (int first = 0; first < n; first += chunk) {
    // TODO 2: queue in stream k: copy this chunk to the device, add, and copy it back
    // TODO end

    k = (k + 1) % STREAMS;
  }

  CUDA_CHECK(cudaDeviceSynchronize()); // the only wait, until all streams are done

  for (int i = 0; i < STREAMS; ++i) {
    CUDA_CHECK(cudaFree(d_degrees[i]));
    CUDA_CHECK(cudaStreamDestroy(streams[i]));
  }
  CUDA_CHECK(cudaHostUnregister(const_cast<float *>(celsius)));
  CUDA_CHECK(cudaHostUnregister(kelvin));
}

int main() {
  course::print_device();
  const int n = course::problem_size(19'000'003, 1'000'003),
            device_bytes = n / 16 * int(sizeof(float));
  const std::vector<float> no_result(n, -1.0f);
  std::vector<float> celsius(n), kelvin = no_result, one_by_one = no_result;
  for (int i = 0; i < n; ++i)
    celsius[i] = 0.25f * (i % 4001) - 200;

  const double mine =
      course::host_seconds(1, [&] { chunks(n, celsius.data(), kelvin.data(), device_bytes); });
  if (kelvin == no_result) {
    std::puts("no result yet: fill in TODO 1 and TODO 2");
    return 1;
  }
  std::printf("in %d streams: %.3f s, including the time to pin the arrays\n", STREAMS, mine);
  const double before = course::host_seconds(
      1, [&] { bigger_than_memory(n, celsius.data(), one_by_one.data(), device_bytes); });
  if (one_by_one == no_result)
    std::puts("no result of lesson 03: ./course check add-list/bigger-than-memory");
  else
    std::printf("one step after the other: %.3f s\n", before);
  return course::verdict(
      course::verify("kelvin", kelvin.data(), n, [&](size_t i) { return celsius[i] + 273.15f; }));
}
