// Vector types, and host code's special functions. foreign/usual_functions.cu has the device's
// mathematics.
#include "cuda_test.hpp"

#include <cmath>

static bool near(double found, double expected, double tolerance) {
  return std::fabs(found - expected) <= tolerance * std::fmax(1.0, std::fabs(expected));
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
  CHECK(near(std::riemann_zetaf(2.0f), 1.644934066848226, 1e-6));
  CHECK(near(std::cyl_bessel_jl(0, 1.0L), 0.765197686557966551, 1e-12));
}
