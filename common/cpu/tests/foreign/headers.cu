// nvcc: -lcuda
// Headers that programs include by name: of complex numbers, of constants, old ones.
#include <cuComplex.h>
#include <cuda.h>
#include <device_functions.h>
#include <device_launch_parameters.h>
#include <library_types.h>
#include <math_constants.h>
#include <math_functions.h>
#include <nvToolsExt.h>
#include <sm_61_intrinsics.h>
#include <vector_functions.h>

#include <stdio.h>

__global__ void mandelbrot_step(cuFloatComplex *z, cuDoubleComplex *w, int *dot) {
  *z = cuCaddf(cuCmulf(*z, *z), make_cuFloatComplex(1, 1));
  *w = cuCdiv(*w, make_cuDoubleComplex(0, 2));
  *dot = __dp4a(0x01ff02fe, 0x01010203, 5); // 1 * 1 - 1 * 1 + 2 * 2 - 2 * 3 + 5
}

int main() {
  nvtxRangePush("all");
  bool right = CUDA_VERSION >= 12000;
  cuFloatComplex *z;
  cuDoubleComplex *w;
  int *dot;
  cudaMallocManaged(&z, sizeof *z);
  cudaMallocManaged(&w, sizeof *w);
  cudaMallocManaged(&dot, sizeof *dot);
  *z = make_cuFloatComplex(2, 1);
  *w = make_cuDoubleComplex(2, -4);
  mandelbrot_step<<<1, 1>>>(z, w, dot);
  right = right && cudaDeviceSynchronize() == cudaSuccess;
  right = right && cuCrealf(*z) == 4 && cuCimagf(*z) == 5 && cuCreal(*w) == -2 && cuCimag(*w) == -1;
  right = right && *dot == 3;
  right = right && CUDART_PI_F > 3.14f && CUDA_R_16F == 2;
  cudaFree(z);
  cudaFree(w);
  cudaFree(dot);
  nvtxRangePop();
  puts(right ? "PASS" : "FAIL");
  return !right;
}
