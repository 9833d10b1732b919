// nvcc: -Wno-deprecated-declarations
// Shuffles and votes without a mask, as GPUs before 2017 had them: of the lanes that run together.
#include <stdio.h>

__global__ void sums(int *sum, unsigned *odd) {
  int value = threadIdx.x;
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_down(value, offset);
  value = __shfl(value, 0);
  if (threadIdx.x % 2) // half of the warp
    value += 1000 * __any(threadIdx.x == 5) + 2000 * __all(threadIdx.x == 5);
  sum[threadIdx.x] = value;
  odd[threadIdx.x] = __ballot(threadIdx.x % 2);
}

int main() {
  int *sum;
  unsigned *odd;
  cudaMallocManaged(&sum, 32 * sizeof(int));
  cudaMallocManaged(&odd, 32 * sizeof(int));
  sums<<<1, 32>>>(sum, odd);
  bool right = cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 0; i < 32; ++i)
    right = right && sum[i] == 496 + i % 2 * 1000 && odd[i] == 0xAAAAAAAAu;
  cudaFree(sum);
  cudaFree(odd);
  puts(right ? "PASS" : "FAIL");
  return !right;
}
