// Functions whose code depends on the compiler and on __CUDA_ARCH__.
#include "parts.hpp"

#include <cstdio>
#include <stdio.h>

// Device functions that stand between #if __CUDA_ARCH__ and #endif, outside of functions.
namespace architecture_sections {
#if __CUDA_ARCH__ >= 700
__device__ int twice(int x) { return 2 * x; }
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#else
__device__ int twice(int x) { return x; }
#endif

#if __CUDA_ARCH__ >= 9900
__device__ int next(int x) { return x; }
#elif defined(__CUDA_ARCH__)
__device__ int next(int x) { return x + 1; }
#else
__device__ int next(int x) { return x - 1; }
#endif

#ifndef __CUDA_ARCH__
__device__ int same(int x) { return 0; }
#else
__device__ int same(int x) { return x; }
#endif

template <class T> __device__ T special(T);
template <> __device__ int special<int>(int x) {
#ifdef __CUDA_ARCH__
  return x;
#endif
}

#ifdef __CUDA_ARCH__
constexpr int side = 1; // no function: as the host sees it
#else
constexpr int side = 2;
#endif

__global__ void run(int *value) {
#if __CUDA_ARCH__ >= 700
  *value = next(twice(same(special(*value)))) + side;
#endif
}

bool is_right() {
  int *value = managed<int>(1);
  *value = 20;
  run<<<1, 1>>>(value);
  return cudaDeviceSynchronize() == cudaSuccess && *value == 43;
}
} // namespace architecture_sections

// A function for both sides does one thing in kernels and another one on the host.
namespace both_sides {
struct Number {
  int value;

  __host__ __device__ Number() {
#if defined(__CUDA_ARCH__)
    int side = blockIdx.x + 1;
#else
    int side = 10;
#endif
    value = side;
  }

  template <class T> __host__ __device__ T times(T factor) const {
    if (factor == 0)
      return 0;
#if __CUDA_ARCH__ >= 600
    return value * factor * T(warpSize);
#else
    return value * factor;
#endif
  }
};

__host__ __device__ inline int side() {
#ifndef __CUDA_ARCH__
  return 1;
#elif __CUDA_ARCH__ >= 9900
  return 2;
#else
  return 3;
#endif
}

// With what makes a body harder to repeat, or to find.
struct Pair {
  int first, second;

  __host__ __device__ explicit Pair(int x) noexcept(true) : first{x}, second{x + 1} {
#ifdef __CUDA_ARCH__
    first += 100;
#endif
  }

  __host__ __device__ int sum() const {
    constexpr int more = 1000;
    struct Local {
      __device__ int on_device() const { return 5; }
      __host__ __device__ int anywhere() const { return 5; }
    };
    const Local local;
#ifdef __CUDA_ARCH__
    __builtin_assume(first > 0);
    return first + second + local.on_device() - more;
#else
    return first + second + local.anywhere() + more;
#endif
  }
};

// Of these bodies, in kernels too, the host's branch is taken, and the compiler warns: they do not
// stand twice.
__host__ __device__ int low_bits(unsigned x) {
#ifdef __CUDA_ARCH__
  unsigned bits;
  asm("bfe.u32 %0, %1, 0, 4;" : "=r"(bits) : "r"(x));
  return int(bits);
#else
  return int(x & 15);
#endif
}

__host__ __device__ int count(int n) {
  int sum = 0;
#ifdef __CUDA_ARCH__
  for (int i = 0; i < n; i += 1) {
#else
  for (int i = 0; i < n; ++i) {
#endif
    ++sum;
  }
#ifdef __CUDA_ARCH__
#define STEP 1
#else
#define STEP 1
#endif
  return sum + STEP;
}

__global__ void run(int *values) {
  values[blockIdx.x] = Number().times(2) + side();
  values[2] = Pair(3).sum();
  values[3] = low_bits(0x123) + count(7);
}

bool is_right() {
  constexpr int line = __LINE__; // repeated code moves no line
  int *values = managed<int>(4);
  run<<<2, 1>>>(values);
  return cudaDeviceSynchronize() == cudaSuccess && values[0] == 67 && values[1] == 131 &&
         values[2] == -888 && values[3] == 11 && Pair(3).sum() == 1012 && Number().times(2) == 20 &&
         side() == 1 && line == 156;
}
} // namespace both_sides

// Code that an #if leaves out may do what nvcc refuses.
namespace conditional_code {
__global__ void add(int *a) { *a += 1; }

int on_host(int x) { return x + 1; }

__device__ int next(int x) {
#ifdef __CUDA_ARCH__
  return x + 1;
#else
  return on_host(x);
#endif
}

#define ON_GPU
#ifdef ON_GPU
__device__ int twice(int x) { return next(x) + next(x); }
#else
int twice(int x) { return next(x) + threadIdx.x; }
#endif

__global__ void run(int *a) { *a = twice(*a); }

bool is_right() {
  int *a = managed<int>(1);
  *a = 2;
#ifdef HOST
  add(a);
  __syncthreads();
#else
  add<<<1, 1>>>(a);
#endif
  run<<<1, 1>>>(a);
  return cudaDeviceSynchronize() == cudaSuccess && *a == 8;
}
} // namespace conditional_code

// Functions whose head or body an #if chooses, for compilers of several kinds.
namespace branches {
#ifdef __CUDACC__
#define START(kernel) kernel<<<1, 32>>>
__global__ void
#else
#define START(kernel) kernel
void
#endif
fill(int *x) {
#ifdef __CUDACC__
  const int i = threadIdx.x;
#else
  for (int i = 0; i < 32; ++i)
#endif
  x[i] = i;
}

#ifdef SOMETHING_ELSE
int lane() { return 0; }
#else
__device__ int lane() { return threadIdx.x % 32; }
#endif

__global__ void add(int *x) { x[threadIdx.x] += lane(); }

bool is_right() {
  int *x = managed<int>(32);
#ifdef __CUDACC__
  START(fill)(x);
#else
  fill(x);
#endif
  START(add)(x);
  bool right = cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 0; i < 32; ++i)
    right = right && x[i] == 2 * i;
  return right;
}
} // namespace branches

// __device__ and its kin out of macros, as libraries for several compilers write them.
namespace macro_specifiers {
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

bool is_right() {
  // Variables that have the names of the built-in ones hide them.
  dim3 gridDim, blockDim;
  blockDim.x = 32;
  gridDim.x = 64 / blockDim.x;
  float *x = managed<float>(64);
  fill<<<gridDim, blockDim>>>(x);
  bool right = cudaDeviceSynchronize() == cudaSuccess && Number(twice(1)).get() == 2 && side() == 8;
  for (int i = 0; i < 32; ++i)
    right = right && x[i] == 7216;
  return right;
}
} // namespace macro_specifiers

int main() {
  return run_parts({{"architecture_sections", architecture_sections::is_right},
                    {"both_sides", both_sides::is_right},
                    {"conditional_code", conditional_code::is_right},
                    {"branches", branches::is_right},
                    {"macro_specifiers", macro_specifiers::is_right}});
}
