// __device__ and its kin out of macros, as libraries for several compilers write them.
#include <stdio.h>

#ifdef __CUDACC__
#define HOST_DEVICE __host__ __device__
#define DEVICE __device__ __forceinline__
#define DEVICE_FUNCTION __device__
#define KERNEL extern "C" __global__ void
#else
#define HOST_DEVICE
#define DEVICE
#define DEVICE_FUNCTION
#define KERNEL void
#endif

HOST_DEVICE float twice(float x) { return 2 * x; }

#define ON_DEVICE defined(__CUDA_ARCH__)
#define ALIGNED(bytes) __attribute__((aligned(bytes)))

ALIGNED(16) HOST_DEVICE int side() {
#if ON_DEVICE
  return 7;
#else
  return 8;
#endif
}

DEVICE_FUNCTION int on_device() {
#ifdef __CUDA_ARCH__
  return 1;
#else
  return 0;
#endif
}

DEVICE int architecture() {
#if __CUDA_ARCH__ >= 500
  return 2;
#else
  return 0;
#endif
}

struct Number {
  float value;
  HOST_DEVICE explicit Number(float v) : value(v) {}
  HOST_DEVICE float get() const { return value; }
};

KERNEL fill(float *x) {
#ifdef __CUDA_ARCH__
  x[threadIdx.x] = twice(Number(3).get()) + 10 * on_device() + 100 * architecture() + 1000 * side();
#endif
}

int main() {
  // Variables that have the names of the built-in ones hide them.
  dim3 gridDim, blockDim;
  blockDim.x = 32;
  gridDim.x = 64 / blockDim.x;
  float *x;
  cudaMallocManaged(&x, 64 * sizeof(float));
  fill<<<gridDim, blockDim>>>(x);
  bool right = cudaDeviceSynchronize() == cudaSuccess && Number(twice(1)).get() == 2 && side() == 8;
  for (int i = 0; i < 32; ++i)
    right = right && x[i] == 7216;
  puts(right ? "PASS" : "FAIL");
  return !right;
}
