// Managed, registered and device variables in host code.
#include "cases.hpp"

#include <cstdio>
#include <numeric>

// case managed_variable
// expect: racecheck count read
// The host reads a managed variable while the kernel may still write it.
__managed__ int hits = 3;

__global__ void managed_variable_count() {
  atomicAdd(&hits, 1); // @count
}

CASE(managed_variable) {
  hits = 0;
  managed_variable_count<<<1, 64>>>();
  if (fixed)
    cudaDeviceSynchronize();
  std::printf("%d\n", hits); // @read
}

// case registered_memory
// expect: racecheck copy sum
// The host adds up registered memory without waiting for the copy into it.
__global__ void fill(int *values, int value) { values[threadIdx.x] = value; }

CASE(registered_memory) {
  int *values = array<int>(32, 0);
  std::vector<int> host(32), mapped(32);
  for (auto *each : {&host, &mapped})
    cudaHostRegister(each->data(), 32 * sizeof(int), cudaHostRegisterMapped);
  Stream stream;
  cudaDeviceSynchronize();
  fill<<<1, 32, 0, stream>>>(mapped.data(), 1);
  cudaMemcpyAsync(host.data(), values, 32 * sizeof(int), cudaMemcpyDeviceToHost, stream); // @copy
  if (fixed)
    cudaStreamSynchronize(stream);
  std::printf("%d\n", std::accumulate(host.begin(), host.end(), 0)); // @sum
  cudaStreamSynchronize(stream);
  for (auto *each : {&host, &mapped})
    cudaHostUnregister(each->data());
  host[0] = mapped[0]; // the host's alone again
}

// case device_variable_in_host_code
// expect: memcheck assign
// expect: memcheck print
// Host code has a variable of its own in the place of a __device__ one.
__device__ int counter;
__constant__ float factors[4];
static __device__ int written_by_kernels[64];
__device__ const int one = 1; // known when it is compiled

__global__ void count_on_device() {
  counter += one;
  written_by_kernels[threadIdx.x] = int(factors[0]);
}

CASE(device_variable_in_host_code) {
  int value = one - 1;
  if (fixed) {
    const float factor = 2;
    cudaMemcpyToSymbol(factors, &factor, sizeof factor);
  } else {
    factors[0] = 2; // @assign
  }
  count_on_device<<<1, 1>>>();
  cudaDeviceSynchronize();
  if (fixed)
    cudaMemcpyFromSymbol(&value, counter, sizeof value);
  else
    value = counter; // @print
  std::printf("%d\n", value);
}

// case managed_initialised_too_late
// expect: racecheck scale init
// The host initialises the second half after the launch that reads all of it.
__global__ void scale(const float *in, float *out) {
  out[threadIdx.x] = 2 * in[threadIdx.x]; // @scale
}

CASE(managed_initialised_too_late) {
  float *in = managed<float>(64), *out = managed<float>(64);
  for (int i = 0; i < 32; ++i)
    in[i] = i;
  if (!fixed)
    scale<<<1, 64>>>(in, out);
  for (int i = 32; i < 64; ++i)
    in[i] = i; // @init
  if (fixed)
    scale<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  std::printf("%g\n", out[0]);
}
