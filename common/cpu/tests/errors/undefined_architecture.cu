// Where the CPU backend cannot give kernels and the host two different branches, it says so.
#ifdef __CUDA_ARCH__
#define WIDTH 32
#else
#define WIDTH 64
#endif
#define IN_KERNEL ON_DEVICE
#define ON_DEVICE defined(__CUDA_ARCH__)
#define OF_HOST
#ifdef __CUDA_ARCH__
#undef OF_HOST
#endif

__host__ __device__ int declared_before(int x);
int declared_before(int x) {
#if ON_DEVICE
  return x + 1;
#endif
  return x;
}

__host__ __device__ int jumps(int x) {
again:
  x += WIDTH;
#ifdef __CUDA_ARCH__
  if (x < 10)
    goto again;
#endif
  return x < 0 ? jumps(x) : x;
}

#ifndef __CUDA_ARCH__
__host__ __device__ int whole_function() { return 1; }
#else
__host__ __device__ int whole_function() { return 2; }
#endif

struct Value {
  int value;
  __host__ __device__ Value()
#ifdef __CUDA_ARCH__
      : value(1) {
  }
#else
      : value(2) {
  }
#endif
};

#ifdef __CUDA_ARCH__
#include <cstdint>
#else
#include <cinttypes>
#endif

#ifndef __CUDA_ARCH__
#include <cstdio> // no word about this
#endif

// No word about these: the host's function, a kernel, and a body that stands twice.
int on_host() {
#ifdef __CUDA_ARCH__
  return 1;
#else
  return 2;
#endif
}

__host__ __device__ int on_both() {
#if IN_KERNEL
  return 1;
#else
  return 2;
#endif
}

__global__ void kernel(int *out) {
#if ON_DEVICE
  *out = declared_before(1) + jumps(2) + whole_function() + Value().value + on_both();
#endif
}
