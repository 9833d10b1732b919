// Half precision, and numbers of 8 bits.
#include "cuda_test.hpp"

#include <cmath>
#include <cstdint>
#include <cuda_fp16.h>

static unsigned short bits(__half value) { return __half_as_ushort(value); }

TEST_CASE("half: conversions round to nearest, ties to even") {
  CHECK(bits(__float2half(1.0f)) == 0x3C00);
  CHECK(bits(__float2half(-2.0f)) == 0xC000);
  CHECK(bits(__float2half(65504.0f)) == 0x7BFF); // the largest
  CHECK(bits(__float2half(65519.9f)) == 0x7BFF);
  CHECK(bits(__float2half(65520.0f)) == 0x7C00); // infinite
  CHECK(bits(__float2half(-1e30f)) == 0xFC00);
  CHECK(bits(__float2half(std::ldexp(1.0f, -14))) == 0x0400);    // the smallest normal one
  CHECK(bits(__float2half(std::ldexp(1023.0f, -24))) == 0x03FF); // the largest subnormal one
  CHECK(bits(__float2half(std::ldexp(1.0f, -24))) == 0x0001);
  CHECK(bits(__float2half(std::ldexp(1.0f, -25))) == 0x0000); // a tie, to even
  CHECK(bits(__float2half(std::ldexp(1.01f, -25))) == 0x0001);
  CHECK(bits(__float2half(-0.0f)) == 0x8000);
  CHECK(bits(__float2half(1 + std::ldexp(1.0f, -11))) == 0x3C00); // ties
  CHECK(bits(__float2half(1 + std::ldexp(3.0f, -11))) == 0x3C02);
  CHECK(bits(__float2half(2047.75f)) == 0x6800); // carries into the exponent
  CHECK(bits(__half(1 + std::ldexp(1.0, -11) + std::ldexp(1.0, -40))) == 0x3C01);
  CHECK(std::isnan(__half2float(__float2half(NAN))));
  CHECK(std::isinf(__half2float(__float2half(INFINITY))));
}

TEST_CASE("half: every value survives the way through float") {
  int different = 0;
  for (unsigned i = 0; i < 0x10000; ++i) {
    const __half value = __ushort_as_half(static_cast<unsigned short>(i));
    if (!std::isnan(__half2float(value)))
      different += bits(__float2half(__half2float(value))) != i;
  }
  CHECK(different == 0);
}

__global__ void calculate(const __half *a, const __half *b, __half *out) {
  const __half x = a[threadIdx.x], y = b[threadIdx.x];
  out[threadIdx.x * 8 + 0] = x + y;
  out[threadIdx.x * 8 + 1] = x - y;
  out[threadIdx.x * 8 + 2] = x * y;
  out[threadIdx.x * 8 + 3] = x / y;
  out[threadIdx.x * 8 + 4] = __hfma(x, y, x);
  out[threadIdx.x * 8 + 5] = x > y ? x : y;
  out[threadIdx.x * 8 + 6] = x < y ? x : y;
  out[threadIdx.x * 8 + 7] = -x;
}

TEST_CASE("half: arithmetic on the device") {
  std::vector<__half> a, b;
  for (int i = 0; i < 64; ++i) {
    a.push_back(__float2half(0.37f * static_cast<float>(i) - 9));
    b.push_back(__float2half(1.5f + static_cast<float>(i % 7)));
  }
  DeviceArray<__half> d_a(a), d_b(b), d_out(64 * 8, __float2half(0));
  calculate<<<1, 64>>>(d_a.data(), d_b.data(), d_out.data());
  const std::vector<__half> out = d_out.host();
  for (std::size_t i = 0; i < 64; ++i) {
    const float x = __half2float(a[i]), y = __half2float(b[i]);
    const float expected[] = {x + y,           x - y,           x * y, x / y, std::fma(x, y, x),
                              std::fmax(x, y), std::fmin(x, y), -x};
    for (std::size_t k = 0; k < 8; ++k) {
      INFO("value " << i << ", operation " << k);
      CHECK(bits(out[i * 8 + k]) == bits(__float2half(expected[k])));
    }
  }
}

__global__ void pairs(const __half2 *in, __half2 *out, float *sum) {
  const __half2 value = in[threadIdx.x];
  out[threadIdx.x] = __hfma2(value, __float2half2_rn(2), __half2(value.y, value.x));
  atomicAdd(sum, __low2float(value) + __high2float(value));
}

__global__ void sum_of_lanes(__half *value) {
  __half mine = __float2half(static_cast<float>(threadIdx.x));
  for (int offset = 16; offset > 0; offset /= 2)
    mine = __hadd(mine, __shfl_down_sync(0xffffffff, mine, offset));
  if (threadIdx.x == 0)
    *value = mine;
}

TEST_CASE("half: pairs, atomics of their values, shuffles") {
  std::vector<__half2> in;
  for (int i = 0; i < 32; ++i)
    in.push_back(__floats2half2_rn(static_cast<float>(i), 0.5f));
  DeviceArray<__half2> d_in(in), d_out(in);
  DeviceArray<float> sum(1);
  pairs<<<1, 32>>>(d_in.data(), d_out.data(), sum.data());
  CHECK(sum.host()[0] == 496 + 16);
  const float2 last = __half22float2(d_out.host()[31]);
  CHECK(last.x == 62.5f);
  CHECK(last.y == 32);
  DeviceArray<__half> value(1, __float2half(0));
  sum_of_lanes<<<1, 32>>>(value.data());
  CHECK(__half2float(value.host()[0]) == 496);
}
