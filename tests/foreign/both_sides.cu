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

__global__ void run(int *values) { values[blockIdx.x] = Number().times(2) + side(); }

int main() {
  constexpr int line = __LINE__; // what stands twice moves no line
  int *values;
  cudaMallocManaged(&values, 2 * sizeof *values);
  run<<<2, 1>>>(values);
  const bool ok = cudaDeviceSynchronize() == cudaSuccess && values[0] == 67 && values[1] == 131 &&
                  Number().times(2) == 20 && side() == 1 && line == 40;
  cudaFree(values);
  std::puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
