// The device's mathematics and intrinsics.
#include "cuda_test.hpp"

#include <cmath>

namespace {

constexpr double pi = 3.14159265358979323846;

template <class T, class Function> __global__ void evaluate(T *out, Function function) {
  *out = function();
}

template <class T, class Function> T on_device(Function function) {
  DeviceArray<T> out(1);
  evaluate<<<1, 1>>>(out.data(), function);
  return out.host()[0];
}

bool near(double found, double expected, double tolerance) {
  return std::fabs(found - expected) <= tolerance * std::fmax(1.0, std::fabs(expected));
}

// A function object around an expression of the device; lambdas would need an option of nvcc.
#define EXPRESSION(name, type, expression)                                                         \
  struct name {                                                                                    \
    __device__ type operator()() const { return expression; }                                      \
  }

EXPRESSION(Sine, float, sinf(1.0f));
EXPRESSION(FastSine, float, __sinf(0.5f));
EXPRESSION(FastCosine, float, __cosf(0.5f));
EXPRESSION(FastExponential, float, __expf(1.5f));
EXPRESSION(FastLogarithm, float, __logf(7.0f));
EXPRESSION(FastPower, float, __powf(2.0f, 10.0f));
EXPRESSION(FastQuotient, float, __fdividef(1.0f, 3.0f));
EXPRESSION(InverseRoot, float, rsqrtf(16.0f));
EXPRESSION(InverseRootDouble, double, rsqrt(16.0));
EXPRESSION(SinePi, double, sinpi(0.5));
EXPRESSION(CosinePi, float, cospif(1.0f));
EXPRESSION(Hypotenuse, float, hypotf(3.0f, 4.0f));
EXPRESSION(Saturated, float, __saturatef(1.5f) + __saturatef(-2.0f) + __saturatef(0.25f));
EXPRESSION(Fused, double, fma(3.0, 4.0, 5.0));
EXPRESSION(ErrorFunction, double, erf(0.5));
EXPRESSION(MinMax, float, fminf(1.0f, 2.0f) + fmaxf(3.0f, 4.0f));
EXPRESSION(MixedMinMax, double, min(1, 2) + max(3u, 4u) + min(1.5f, 2.5f) + max(0.5, 0.25));
EXPRESSION(Infinite, int, isinf(INFINITY) ? 1 : 0);
EXPRESSION(NotANumber, int, isnan(sqrtf(-1.0f)) ? 1 : 0);

EXPRESSION(Population, int, __popc(0xf0f0f001u) + __popcll(0xffffffffffffffffull));
EXPRESSION(LeadingZeros, int, __clz(1) * 1000 + __clz(0) + __clzll(1ll));
EXPRESSION(FirstSet, int, __ffs(8) * 1000 + __ffs(0) + __ffsll(1ll << 40));
EXPRESSION(Reversed, unsigned, __brev(1u) | __brev(0x80000000u));
EXPRESSION(HighProduct, unsigned, __umulhi(0x80000000u, 6u));
EXPRESSION(HighProductSigned, int, __mulhi(-2, 0x40000000));
EXPRESSION(Product24, int, __mul24(-3, 1000));
EXPRESSION(Bits, int, __float_as_int(1.0f));
EXPRESSION(FromBits, float, __int_as_float(0x40490fdb));
EXPRESSION(DoubleBits, long long, __double_as_longlong(1.0));
EXPRESSION(RoundedNearest, int, __float2int_rn(2.5f) * 100 + __float2int_rn(-1.7f));
EXPRESSION(RoundedTowardsZero, int, __float2int_rz(2.9f) * 100 + __float2int_rz(-1.7f));
EXPRESSION(RoundedDownUp, int, __float2int_rd(-1.2f) * 100 + __float2int_ru(1.2f));

} // namespace

TEST_CASE("math: functions of float and double") {
  CHECK(near(on_device<float>(Sine()), std::sin(1.0), 1e-6));
  CHECK(near(on_device<float>(InverseRoot()), 0.25, 1e-6));
  CHECK(near(on_device<double>(InverseRootDouble()), 0.25, 1e-14));
  CHECK(near(on_device<double>(SinePi()), 1.0, 1e-14));
  CHECK(near(on_device<float>(CosinePi()), -1.0, 1e-6));
  CHECK(near(on_device<float>(Hypotenuse()), 5.0, 1e-6));
  CHECK(on_device<double>(Fused()) == 17.0);
  CHECK(near(on_device<double>(ErrorFunction()), std::erf(0.5), 1e-14));
  CHECK(on_device<float>(MinMax()) == 5.0f);
  CHECK(on_device<double>(MixedMinMax()) == 7.0);
  CHECK(on_device<int>(Infinite()) == 1);
  CHECK(on_device<int>(NotANumber()) == 1);
}

TEST_CASE("math: fast functions are near the exact ones") {
  CHECK(near(on_device<float>(FastSine()), std::sin(0.5), 1e-5));
  CHECK(near(on_device<float>(FastCosine()), std::cos(0.5), 1e-5));
  CHECK(near(on_device<float>(FastExponential()), std::exp(1.5), 1e-5));
  CHECK(near(on_device<float>(FastLogarithm()), std::log(7.0), 1e-5));
  CHECK(near(on_device<float>(FastPower()), 1024, 1e-5));
  CHECK(near(on_device<float>(FastQuotient()), 1 / 3.0, 1e-6));
  CHECK(on_device<float>(Saturated()) == 1.25f);
}

TEST_CASE("math: bits") {
  CHECK(on_device<int>(Population()) == 13 + 64);
  CHECK(on_device<int>(LeadingZeros()) == 31000 + 32 + 63);
  CHECK(on_device<int>(FirstSet()) == 4000 + 0 + 41);
  CHECK(on_device<unsigned>(Reversed()) == 0x80000001u);
  CHECK(on_device<unsigned>(HighProduct()) == 3u);
  CHECK(on_device<int>(HighProductSigned()) == -1);
  CHECK(on_device<int>(Product24()) == -3000);
  CHECK(on_device<int>(Bits()) == 0x3f800000);
  CHECK(near(on_device<float>(FromBits()), pi, 1e-6));
  CHECK(on_device<long long>(DoubleBits()) == 0x3ff0000000000000ll);
}

TEST_CASE("math: roundings") {
  CHECK(on_device<int>(RoundedNearest()) == 2 * 100 - 2);
  CHECK(on_device<int>(RoundedTowardsZero()) == 2 * 100 - 1);
  CHECK(on_device<int>(RoundedDownUp()) == -2 * 100 + 2);
}

TEST_CASE("types: vectors have CUDA's sizes, alignments and makers") {
  STATIC_REQUIRE(sizeof(float3) == 12);
  STATIC_REQUIRE(sizeof(float4) == 16);
  STATIC_REQUIRE(alignof(float4) == 16);
  STATIC_REQUIRE(alignof(float2) == 8);
  STATIC_REQUIRE(alignof(float3) == 4);
  STATIC_REQUIRE(sizeof(double2) == 16);
  STATIC_REQUIRE(alignof(double2) == 16);
  STATIC_REQUIRE(alignof(uchar4) == 4);
  STATIC_REQUIRE(sizeof(int3) == 12);
  STATIC_REQUIRE(sizeof(ulonglong2) == 16);
  const float4 a = make_float4(1, 2, 3, 4);
  CHECK(a.x + 10 * a.y + 100 * a.z + 1000 * a.w == 4321);
  const uchar4 colour = make_uchar4(1, 2, 3, 255);
  CHECK(colour.w == 255);
  const dim3 defaults;
  CHECK(defaults.x * 4 + defaults.y * 2 + defaults.z == 7);
  const dim3 two(5, 6);
  CHECK(two.z == 1);
}

TEST_CASE("host code has the special functions of C++17") {
  CHECK(near(std::beta(2.0, 3.0), 1.0 / 12, 1e-12));
  CHECK(near(std::riemann_zetaf(2.0f), pi * pi / 6, 1e-6));
  CHECK(near(std::cyl_bessel_jl(0, 1.0L), 0.765197686557966551, 1e-12));
}
