// Device functions that public programs call and no lesson does, each with its result.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <stdio.h>

__device__ int wrong = 0;

__device__ void check(const char *call, double found, double expected) {
  if (fabs(found - expected) <= 1e-5 * fmax(1.0, fabs(expected)))
    return;
  printf("wrong: %s is %g, expected %g\n", call, found, expected);
  wrong = 1;
}
#define CHECK(call, expected) check(#call, double(call), expected)

__device__ double sine_and_cosine(float x) {
  float s, c;
  __sincosf(x, &s, &c);
  return 10 * s + c;
}

__global__ void mathematics(const float *one) {
  CHECK(rsqrtf(16 * *one), 0.25);
  CHECK(rsqrt(16.0), 0.25);
  CHECK(__sinf(0.5f), 0.479426);
  CHECK(__cosf(0.5f), 0.877583);
  CHECK(sine_and_cosine(0.5f), 5.671838);
  CHECK(__expf(1.5f), 4.481689);
  CHECK(__logf(7.0f), 1.945910);
  CHECK(__log2f(8.0f), 3);
  CHECK(__powf(2.0f, 10.0f), 1024);
  CHECK(__fdividef(1.0f, 3.0f), 0.333333);
  CHECK(__fadd_rn(__fmul_rn(*one, 2), __fmaf_rn(2, 3, 4)), 12);
  CHECK(__dadd_rn(__dmul_rn(*one, 2), __fma_rn(2, 3, 4)), 12);
  CHECK(__float2int_rn(2.5f) * 100 + __float2int_rz(-1.7f), 199);
  CHECK(__float2int_rd(-1.2f) * 100 + __float2int_ru(1.2f), -198);
  CHECK(__float2int_rz(1e20f), 2147483647);
  CHECK(min(1, 2) + max(3u, 4u) + min(1.5f, 2.5f) + max(0.5, 0.25), 7);
  CHECK(__ldg(one), 1);
}

__global__ void integers() {
  CHECK(umin(3u, ~0u) + umax(1u, 2u), 5);
  CHECK(__popc(0xf0f0f001u) + __popcll(~0ull), 13 + 64);
  CHECK(__clz(1) * 1000 + __clz(0) + __clzll(1), 31095);
  CHECK(__ffs(8) * 1000 + __ffs(0) + __ffsll(1ll << 40), 4041);
  CHECK(__brev(1u) | __brev(0x80000000u), 0x80000001u);
  CHECK(__mul24(-3, 1000), -3000);
  CHECK(__float_as_int(1.0f) - __double_as_longlong(1.0) / (1ll << 32), 0x3f800000 - 0x3ff00000);
  CHECK(__int_as_float(0x40490fdb), 3.14159265);
  CHECK(__activemask(), 1);
  unsigned bits = 0xf0;
  CHECK(atomicAnd(&bits, 0x3cu), 0xf0);
  CHECK(atomicXor(&bits, 0x0fu), 0x30);
  CHECK(atomicDec(&bits, 100u), 0x3f);
  CHECK(bits, 0x3e);
  const long long begin = clock64();
  CHECK(clock64() >= begin && clock() != 0, 1);
}

__global__ void sixteen_bits() {
  const __half2 pair = __hadd2(__float2half2_rn(2.0f), __floats2half2_rn(1.0f, 0.5f));
  CHECK(__low2float(pair), 3);
  CHECK(__high2float(__hmul2(pair, pair)), 6.25);
  CHECK(__half2float(__hadd(__low2half(pair), __hmul(__high2half(pair), __float2half(2)))), 8);
  CHECK(__half2float(__hfma(__float2half(3), __float2half(4), __float2half(5))), 17);
  const float2 halves = __half22float2(pair);
  CHECK(halves.x + halves.y, 5.5);
  CHECK(__half2float(__ushort_as_half(__half_as_ushort(__high2half(pair)))), 2.5);
  const float2 twice = __bfloat1622float2(
      __hadd2(__bfloat162bfloat162(__float2bfloat16(1)), __float22bfloat162_rn({2, 3})));
  CHECK(twice.x * 10 + twice.y, 34);
  CHECK(__bfloat162float(__hmul(__float2bfloat16(3), __float2bfloat16(4))), 12);
}

int main() {
  float *one;
  int found = -1;
  cudaMallocManaged(&one, sizeof *one);
  *one = 1;
  mathematics<<<1, 1>>>(one);
  integers<<<1, 1>>>();
  sixteen_bits<<<1, 1>>>();
  cudaMemcpyFromSymbol(&found, wrong, sizeof wrong);
  cudaFree(one);
  puts(found == 0 ? "PASS" : "FAIL");
  return found != 0;
}
