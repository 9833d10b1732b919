// Names of the first years of CUDA, which CUDA 12 still has.
#include <stdio.h>

__global__ void fill(int *x) { x[threadIdx.x] = threadIdx.x; }

int main() {
  int *device, host[32];
  cudaThreadSetCacheConfig(cudaFuncCachePreferL1);
  cudaFuncSetSharedMemConfig(fill, cudaSharedMemBankSizeEightByte);
  cudaMalloc((void **)&device, sizeof host);
  fill<<<1, 32>>>(device);
  bool right = cudaThreadSynchronize() == cudaSuccess;
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i)
    right = right && host[i] == i;

  cudaSharedMemConfig banks;
  right = right && cudaDeviceGetSharedMemConfig(&banks) == cudaSuccess &&
          banks == cudaSharedMemBankSizeFourByte;
  size_t stack;
  right = right && cudaThreadGetLimit(&stack, cudaLimitStackSize) == cudaSuccess && stack > 0;
  right = right && cudaThreadExit() == cudaSuccess;
  puts(right ? "PASS" : "FAIL");
  return !right;
}
