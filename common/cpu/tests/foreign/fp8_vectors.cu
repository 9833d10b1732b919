// Pairs and quadruples of 8-bit numbers, and what converts to and from them.
#include <cuda_fp8.h>
#include <math.h>
#include <stdio.h>

// Integers as halves are multiplied by `scale`, four by four, and stored in 8 bits.
template <class Quad, class Pair16>
__global__ void scale(const Pair16 *x, Quad *y, Pair16 scale, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4)
    y[i] = Quad(__hmul2(x[2 * i], scale), __hmul2(x[2 * i + 1], scale));
}

template <class Small, class Quad, class Number16, class Pair16> bool scales(Pair16 factor) {
  const int n = 64;
  Number16 *x;
  Small *y;
  cudaMallocManaged(&x, n * sizeof *x);
  cudaMallocManaged(&y, n * sizeof *y);
  for (int i = 0; i < n; ++i)
    x[i] = Number16(float(i % 15 - 7));
  scale<<<1, n / 4>>>((const Pair16 *)x, (Quad *)y, factor, n);
  bool right = cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 0; i < n; ++i)
    right = right && float(y[i]) == 0.5f * (i % 15 - 7);
  cudaFree(x);
  cudaFree(y);
  return right;
}

template <class Small, class Two, class Four> bool holds(__nv_fp8_interpretation_t kind) {
  const Two from_float(float2{1.5f, -2}), from_double(double2{1.5, -2});
  const Two from_half(__floats2half2_rn(1.5f, -2)), from_bfloat(__floats2bfloat162_rn(1.5f, -2));
  bool right = from_float.__x == (Small(1.5f).__x | Small(-2.f).__x << 8);
  right = right && from_float.__x == from_double.__x && from_float.__x == from_half.__x &&
          from_float.__x == from_bfloat.__x;
  const float2 two(from_half);
  const __half2 halves(from_half);
  right = right && two.x == 1.5f && two.y == -2 && __low2float(halves) == 1.5f &&
          __high2float(halves) == -2;
  right = right && __nv_cvt_float2_to_fp8x2(two, __NV_SATFINITE, kind) == from_float.__x;
  right = right && __nv_cvt_halfraw2_to_fp8x2(halves, __NV_NOSAT, kind) == from_float.__x;
  right = right && __nv_cvt_bfloat16raw_to_fp8(__float2bfloat16(1.5f), __NV_NOSAT, kind) ==
                       (from_float.__x & 0xFF);
  const __half2 again(__nv_cvt_fp8x2_to_halfraw2(from_float.__x, kind));
  right = right && __high2float(again) == -2;
  const Four four(float4{1.5f, -2, 0.25f, 1e6f});
  const float4 back(four);
  right = right && (four.__x & 0xFFFF) == from_float.__x && back.z == 0.25f &&
          back.w == float(Small(1e6));
  // Integers: towards zero.
  right = right && int(Small(-2.5f)) == -2 && (unsigned char)Small(-2.5f) == 0;
  right = right && (signed char)Small(200) == 127 && (long long)Small(12ull) == 12;
  return right && bool(Small(0.5f)) && !bool(Small(-0.f)) && int(Small((short)-3)) == -3;
}

// Half way to the number after the largest one, and NaN.
bool holds_at_the_ends() {
  bool right = __nv_cvt_double_to_fp8(464, __NV_NOSAT, __NV_E4M3) == 0x7E &&
               __nv_cvt_float_to_fp8(-464.5f, __NV_NOSAT, __NV_E4M3) == 0xFF &&
               __nv_cvt_float_to_fp8(61440, __NV_NOSAT, __NV_E5M2) == 0x7C &&
               __nv_cvt_float_to_fp8(61408, __NV_NOSAT, __NV_E5M2) == 0x7B;
  const double none = 0 * HUGE_VAL;
  right = right && __nv_cvt_float_to_fp8(-float(none), __NV_SATFINITE, __NV_E5M2) == 0x7F &&
          (__nv_cvt_double_to_fp8(none, __NV_SATFINITE, __NV_E5M2) & 0x7F) == 0x7E;
  __nv_fp8_e4m3 small;
  small.__x = 0x7F;
  return right && int(small) == 0 && (unsigned long long)small == 1ull << 63;
}

int main() {
  bool right = holds<__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3>(__NV_E4M3);
  right = right && holds<__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2>(__NV_E5M2);
  right = right && scales<__nv_fp8_e4m3, __nv_fp8x4_e4m3, __half>(__float2half2_rn(0.5f));
  right =
      right && scales<__nv_fp8_e5m2, __nv_fp8x4_e5m2, __nv_bfloat16>(__float2bfloat162_rn(0.5f));
  right = right && holds_at_the_ends();
  puts(right ? "PASS" : "FAIL");
  return !right;
}
