// Kernels that are called as functions of CUDA are, and are launched by their addresses.
#include <cooperative_groups.h>
#include <cstdio>

__global__ void reduce(const int *in, int *sum) { atomicAdd(sum, in[threadIdx.x]); }
__global__ void norm(int *sum, int factor) { *sum *= factor; }

int main() {
  int *in, *sum, factor = 2, wrong = 0;
  cudaMallocManaged(&in, 64 * sizeof(int));
  cudaMallocManaged(&sum, sizeof(int));
  for (int i = 0; i < 64; ++i)
    in[i] = i;
  *sum = 0;

  void *reduce_arguments[] = {&in, &sum}, *norm_arguments[] = {&sum, &factor};
  wrong += cudaLaunchKernel((const void *)reduce, 1, 64, reduce_arguments) != cudaSuccess;
  wrong += cudaLaunchKernel((const void *)norm, 1, 1, norm_arguments) != cudaSuccess;
  wrong += cudaDeviceSynchronize() != cudaSuccess;
  wrong += *sum != 64 * 63;
  std::puts(wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
