// Helper headers add their functions only where NVIDIA's headers have been included, which they see
// by the guards of these.
#include <cublas_v2.h>
#include <curand.h>

#include <stdio.h>

#if !defined(__CUDACC__) || !defined(__NVCC__) || !defined(__CUDA_RUNTIME_H__) ||                  \
    !defined(__DRIVER_TYPES_H__) || !defined(CUBLAS_API_H_) || !defined(CURAND_H_)
#error "a guard is missing"
#endif

static const char *name_of(cudaError_t error) { return cudaGetErrorName(error); }
static const char *name_of(cublasStatus_t) { return "cuBLAS"; }

int main() {
  printf("%s %s\n", name_of(cudaSuccess), name_of(CUBLAS_STATUS_SUCCESS));
  puts("PASS");
}
