// A function for both sides does one thing in kernels and another one on the host.
#include <cstdio>

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

int main() {
  constexpr int line = __LINE__; // repeated code moves no line
  int *values;
  cudaMallocManaged(&values, 4 * sizeof *values);
  run<<<2, 1>>>(values);
  const bool ok = cudaDeviceSynchronize() == cudaSuccess && values[0] == 67 && values[1] == 131 &&
                  values[2] == -888 && values[3] == 11 && Pair(3).sum() == 1012 &&
                  Number().times(2) == 20 && side() == 1 && line == 99;
  cudaFree(values);
  std::puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
