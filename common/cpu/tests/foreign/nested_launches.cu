// Dynamic parallelism: a kernel that calls itself, from many threads, with shared memory of its own
// and streams, and one that uses what its child has done.
#include <stdio.h>

__global__ void count(int depth, int *launches, int *wrong) {
  __shared__ int mine;
  if (threadIdx.x == 0) {
    mine = depth;
    atomicAdd(launches, 1);
  }
  __syncthreads();
  if (depth > 0) {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    count<<<2, 2, 0, stream>>>(depth - 1, launches, wrong);
    if (cudaGetLastError() != cudaSuccess)
      atomicAdd(wrong, 1);
    cudaStreamDestroy(stream);
  }
  if (mine != depth)
    atomicAdd(wrong, 1);
}

__global__ void square(int *x) { x[threadIdx.x] *= x[threadIdx.x]; }

__global__ void sum_of_squares(int *x, int n, int *sum) {
  if (threadIdx.x == 0)
    square<<<1, n>>>(x);
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ < 900
  cudaDeviceSynchronize();
#endif
  __syncthreads();
  atomicAdd(sum, x[threadIdx.x]);
}

__global__ void refused(int *error) {
  square<<<1, 5000>>>(nullptr);
  *error = cudaGetLastError();
}

int main() {
  int *x;
  cudaMallocManaged(&x, 64 * sizeof *x);
  x[0] = x[1] = 0;
  count<<<3, 2>>>(4, x, x + 1);
  bool right = cudaDeviceSynchronize() == cudaSuccess;
  right = right && x[0] == 3 * (1 + 4 + 16 + 64 + 256) && x[1] == 0;
  for (int i = 0; i < 64; ++i)
    x[i] = i < 32 ? i : 0;
  sum_of_squares<<<1, 32>>>(x, 32, x + 32);
  right = right && cudaDeviceSynchronize() == cudaSuccess && x[32] == 31 * 32 * 63 / 6;
  refused<<<1, 1>>>(x);
  right = right && cudaDeviceSynchronize() == cudaSuccess && x[0] == cudaErrorInvalidConfiguration;
  cudaFree(x);
  puts(right ? "PASS" : "FAIL");
  return !right;
}
