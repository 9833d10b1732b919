// Kernels may use host memory while it is registered, and no other host memory.
#include "cases.hpp"

#include <cstdlib>
#include <memory>

__global__ void filled(int *values, int n) {
  if (threadIdx.x < n)
    values[threadIdx.x] = threadIdx.x;
}

__global__ void set(int *values) { values[threadIdx.x] = 1; } // @sets

// case past_the_end
// expect: memcheck read
// says: an array of 128 bytes registered at
// The array of the host is longer than what is registered.
__global__ void squares(const int *in, int *out) {
  out[threadIdx.x] = in[threadIdx.x] * in[threadIdx.x]; // @read
}

CASE(past_the_end) {
  std::vector<int> host(64);
  int *on_device = nullptr;
  cudaHostRegister(host.data(), fixed ? 256 : 128, cudaHostRegisterMapped);
  cudaHostGetDevicePointer(&on_device, host.data(), 0);
  squares<<<1, 64>>>(on_device, array<int>(64));
  cudaDeviceSynchronize();
  cudaHostUnregister(host.data());
}

// case before_the_start
// expect: memcheck left
__global__ void differences(const int *in, int *out) {
  out[threadIdx.x] = in[threadIdx.x] - in[int(threadIdx.x) - 1]; // @left
}

CASE(before_the_start) {
  std::vector<int> host(64);
  int *const first = host.data() + (fixed ? 0 : 1);
  cudaHostRegister(first, 128, cudaHostRegisterMapped);
  differences<<<1, 31>>>(host.data() + 1, array<int>(31));
  cudaDeviceSynchronize();
  cudaHostUnregister(first);
}

// case half_of_a_number
// expect: memcheck write
// The last number lies in the registered memory with its first half only.
__global__ void doubles(double *values) { values[threadIdx.x] = 1; } // @write

CASE(half_of_a_number) {
  const std::unique_ptr<double[]> host(new double[32]);
  cudaHostRegister(host.get(), fixed ? 256 : 252, cudaHostRegisterMapped);
  doubles<<<1, 32>>>(host.get());
  cudaDeviceSynchronize();
  cudaHostUnregister(host.get());
}

// case unregistered
// expect: memcheck sets
// says: write of memory that is unregistered
CASE(unregistered) {
  std::vector<int> host(64);
  cudaHostRegister(host.data(), 256, cudaHostRegisterMapped);
  filled<<<1, 64>>>(host.data(), 64);
  cudaDeviceSynchronize();
  if (!fixed)
    cudaHostUnregister(host.data());
  set<<<1, 64>>>(host.data());
  cudaDeviceSynchronize();
  if (fixed)
    cudaHostUnregister(host.data());
}

// case unregistered_too_early
// expect: memcheck sets
// The kernel may still run.
CASE(unregistered_too_early) {
  std::vector<int> host(64);
  cudaHostRegister(host.data(), 256, cudaHostRegisterMapped);
  set<<<1, 64>>>(host.data());
  if (fixed)
    cudaDeviceSynchronize();
  cudaHostUnregister(host.data());
}

// case freed
// expect: memcheck sets
// says: write of memory that is freed
CASE(freed) {
  int *const host = static_cast<int *>(std::malloc(1 << 20));
  cudaHostRegister(host, 1 << 20, cudaHostRegisterMapped);
  filled<<<1, 64>>>(host, 64);
  cudaDeviceSynchronize();
  set<<<1, 64>>>(host);
  if (fixed) {
    cudaDeviceSynchronize();
    cudaHostUnregister(host);
  }
  std::free(host);
}

// case variable_of_the_host
// expect: memcheck global
// says: read of 4 bytes of host memory by a kernel
// says: numbers, a variable of 256 bytes
int numbers[64];
__global__ void sums(const int *in, int *out) {
  out[threadIdx.x] = in[threadIdx.x] + in[63 - threadIdx.x]; // @global
}

CASE(variable_of_the_host) {
  if (fixed)
    cudaHostRegister(numbers, sizeof numbers, cudaHostRegisterMapped);
  sums<<<1, 64>>>(numbers, array<int>(64));
  cudaDeviceSynchronize();
  if (fixed)
    cudaHostUnregister(numbers);
}

// case variable_read_too_early
// expect: racecheck kernel host
int results[64];
__global__ void computed(int *values) { values[threadIdx.x] = threadIdx.x; } // @kernel

CASE(variable_read_too_early) {
  cudaHostRegister(results, sizeof results, cudaHostRegisterMapped);
  computed<<<1, 64>>>(results);
  if (fixed)
    cudaDeviceSynchronize();
  std::printf("%d\n", results[5]); // @host
  cudaDeviceSynchronize();
  cudaHostUnregister(results);
}

// case registered_again
// expect: nothing
// The same memory in parts, then as a whole, then as memory of the host alone.
CASE(registered_again) {
  std::vector<int> host(64);
  cudaHostRegister(host.data(), 128, cudaHostRegisterMapped);
  cudaHostRegister(host.data() + 32, 128, cudaHostRegisterMapped);
  filled<<<1, 64>>>(host.data(), 64);
  cudaDeviceSynchronize();
  cudaHostUnregister(host.data());
  filled<<<1, 32>>>(host.data() + 32, 32);
  cudaDeviceSynchronize();
  cudaHostUnregister(host.data() + 32);
  for (int round = 0; round < 3; ++round) {
    cudaHostRegister(host.data(), 256, cudaHostRegisterMapped);
    filled<<<1, 64>>>(host.data(), 64);
    cudaDeviceSynchronize();
    cudaHostUnregister(host.data());
    host[round] = 1;
  }
}

// case freed_when_done
// expect: nothing
// Memory that is freed while it is registered, but used no more. Its addresses may be used again.
CASE(freed_when_done) {
  for (int round = 0; round < 4; ++round) {
    std::vector<int> host(1000), other(1000);
    if (round % 2 == 0) {
      cudaHostRegister(host.data(), 4000, cudaHostRegisterMapped);
      filled<<<1, 64>>>(host.data(), 64);
      cudaDeviceSynchronize();
      if (round == 2)
        cudaHostUnregister(host.data());
    }
    for (std::vector<int> *each : {&host, &other})
      each->assign(1000, round);
  }
}

// case static_variables_of_kernels
// expect: nothing
// A static variable of a kernel lies on the device; a kernel may hand over its address.
__global__ void counted(int **out) {
  static int count[4];
  count[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = count;
}
__global__ void used_there(int **pointers, int *unused) {
  *pointers[threadIdx.x] += unused != nullptr;
}

CASE(static_variables_of_kernels) {
  int **pointers = array<int *>(4);
  counted<<<1, 4>>>(pointers);
  used_there<<<1, 1>>>(pointers, numbers);
}
