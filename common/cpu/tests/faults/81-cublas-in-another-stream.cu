// expect: racecheck fill norm
// The handle works in the default stream; the kernel in one that does not wait for it.
#include "array.hpp"

#include <cublas_v2.h>

__global__ void fill(double *values) {
  values[threadIdx.x] = 1; // @fill
}

int main() {
  double *values = array<double>(32, 0);
  cudaDeviceSynchronize();
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cublasHandle_t handle;
  cublasCreate(&handle);
#ifdef FIXED
  cublasSetStream(handle, stream);
#endif
  fill<<<1, 32, 0, stream>>>(values);
  double norm;
  cublasDnrm2(handle, 32, values, 1, &norm); // @norm
  cudaDeviceSynchronize();
  cublasDestroy(handle);
  cudaStreamDestroy(stream);
  return 0;
}
