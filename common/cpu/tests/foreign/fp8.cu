// Numbers of 8 bits, as quantised models store them.
#include <cuda_fp8.h>
#include <math.h>
#include <stdio.h>

template <class Small> __global__ void round_trip(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = float(Small(x[i]));
}

// The nearest of all numbers of the format, ties to the even one; what is too large becomes the
// largest.
template <class Small> float nearest(float value) {
  float best = 0, distance = INFINITY;
  for (int bits = 0; bits < 128; ++bits) {
    Small small;
    small.__x = (unsigned char)bits;
    const float candidate = float(small), away = fabsf(candidate - fabsf(value));
    if (isfinite(candidate) && (away < distance || (away == distance && bits % 2 == 0))) {
      best = candidate;
      distance = away;
    }
  }
  return copysignf(best, value);
}

template <class Small> bool holds() {
  const int n = 4096;
  float *x, *y;
  cudaMallocManaged(&x, n * sizeof *x);
  cudaMallocManaged(&y, n * sizeof *y);
  for (int i = 0; i < n; ++i)
    x[i] = ldexpf((i % 2 ? -1.f : 1.f) * (1 + i % 64 / 64.f), i / 64 - 32);
  round_trip<Small><<<n / 128, 128>>>(x, y, n);
  bool right = cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 0; i < n; ++i)
    right = right && y[i] == nearest<Small>(x[i]);
  cudaFree(x);
  cudaFree(y);
  return right;
}

int main() {
  bool right = holds<__nv_fp8_e4m3>() && holds<__nv_fp8_e5m2>();
  right = right && float(__nv_fp8_e4m3(1e9f)) == 448 && float(__nv_fp8_e5m2(1e9f)) == 57344;
  right = right && __nv_cvt_float_to_fp8(1e9f, __NV_NOSAT, __NV_E5M2) == 0x7C;
  const float4 four(__nv_fp8x4_e4m3(float4{1, 2, -3, 0.5f}));
  right = right && four.x == 1 && four.y == 2 && four.z == -3 && four.w == 0.5f;
  puts(right ? "PASS" : "FAIL");
  return !right;
}
