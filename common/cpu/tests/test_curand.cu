// cuRAND: the sequences of NVIDIA's library, which the values below were computed with (CUDA 13.0:
// its device functions compiled for the host, and its host generators), from kernels and from the
// host.
#include "cuda_test.hpp"

#include <cstdint>
#include <cstring>
#include <curand.h>
#include <curand_kernel.h>

namespace {

// FNV-1a over the bytes of all values.
template <class T> std::uint64_t digest(const std::vector<T> &values) {
  std::vector<unsigned char> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  std::uint64_t hash = 14695981039346656037u;
  for (unsigned char byte : bytes)
    hash = (hash ^ byte) * 1099511628211u;
  return hash;
}

constexpr int drawn = 1000;

struct Start {
  unsigned long long seed, sequence, offset;
  unsigned first; // of `drawn` numbers
  std::uint64_t digest;
};

} // namespace

template <class State>
__global__ void draw(unsigned long long seed, unsigned long long sequence,
                     unsigned long long offset, unsigned *numbers, float *uniform) {
  State state;
  curand_init(seed, sequence, offset, &state);
  *uniform = curand_uniform(&state);
  curand_init(seed, sequence, offset, &state);
  for (int i = 0; i < drawn; ++i)
    numbers[i] = curand(&state);
}

template <class State> void draws_as_nvidia(const std::vector<Start> &starts) {
  for (const Start &start : starts) {
    DeviceArray<unsigned> numbers(drawn);
    DeviceArray<float> uniform(1);
    draw<State><<<1, 1>>>(start.seed, start.sequence, start.offset, numbers.data(), uniform.data());
    CHECK(numbers.host()[0] == start.first);
    CHECK(digest(numbers.host()) == start.digest);
    CHECK(uniform.host()[0] == start.first * 0x1p-32f + 0x1p-33f);
  }
}

// clang-format off
TEST_CASE("curand: XORWOW in kernels") {
  draws_as_nvidia<curandStateXORWOW_t>({
      {0x0u, 0x0u, 0x0u, 3179217846u, 0x46a21e2ed891b84au},
      {0x4d2u, 0x0u, 0x0u, 624778773u, 0xac12d3924c7d042cu},
      {0x4d2u, 0x1u, 0x0u, 3522650202u, 0x61069ee64b3623bdu},
      {0x4d2u, 0x5u, 0x7u, 3351265907u, 0x910df3bac374a958u},
      {0x123456789abcdefu, 0x1000u, 0xf4243u, 1945582390u, 0x453e965221d4ab64u},
      {0x2au, 0xfedcba9876543210u, 0xfedcba9876543210u, 1664834848u, 0xac2610467fca1f2du}});
}

TEST_CASE("curand: Philox4_32_10 in kernels") {
  draws_as_nvidia<curandStatePhilox4_32_10_t>({
      {0x0u, 0x0u, 0x0u, 1713891541u, 0x55e85a2b62c170ddu},
      {0x4d2u, 0x0u, 0x0u, 546353992u, 0xa4c9af6b5f4536a7u},
      {0x4d2u, 0x1u, 0x0u, 3507855656u, 0x40187bdcc1366717u},
      {0x4d2u, 0x5u, 0x7u, 1925342002u, 0x1b25821352cce3a2u},
      {0x123456789abcdefu, 0x1000u, 0xf4243u, 3317871361u, 0x2c3ba3c23367b3c6u},
      {0x2au, 0xfedcba9876543210u, 0xfedcba9876543210u, 570440324u, 0x1dffad160c68e952u}});
}
// clang-format on

__global__ void draw_four(unsigned skipped, unsigned *one_by_one, uint4 *at_once, float4 *uniform) {
  curandStatePhilox4_32_10_t state;
  curand_init(5, 6, skipped, &state);
  for (int i = 0; i < 8; ++i)
    one_by_one[i] = curand(&state);
  curand_init(5, 6, skipped, &state);
  *at_once = curand4(&state);
  *uniform = curand_uniform4(&state);
}

TEST_CASE("curand: four numbers at once are the next four") {
  for (unsigned skipped : {0u, 1u, 2u, 3u, 4u}) {
    DeviceArray<unsigned> one_by_one(8);
    DeviceArray<uint4> at_once(1);
    DeviceArray<float4> uniform(1);
    draw_four<<<1, 1>>>(skipped, one_by_one.data(), at_once.data(), uniform.data());
    const std::vector<unsigned> want = one_by_one.host();
    const uint4 got = at_once.host()[0];
    CHECK(std::vector<unsigned>{got.x, got.y, got.z, got.w} ==
          std::vector<unsigned>(want.begin(), want.begin() + 4));
    CHECK(uniform.host()[0].w == want[7] * 0x1p-32f + 0x1p-33f);
  }
}

namespace {

// The digest of 20001 uniform numbers, by several calls.
std::uint64_t uniform_digest(curandRngType_t type, const std::vector<int> &counts) {
  curandGenerator_t generator = nullptr;
  DeviceArray<float> list(20'001);
  REQUIRE(curandCreateGenerator(&generator, type) == CURAND_STATUS_SUCCESS);
  REQUIRE(curandSetPseudoRandomGeneratorSeed(generator, 99) == CURAND_STATUS_SUCCESS);
  float *next = list.data();
  for (int count : counts) {
    CHECK(curandGenerateUniform(generator, next, count) == CURAND_STATUS_SUCCESS);
    next += count;
  }
  const std::uint64_t result = digest(list.host());
  CHECK(curandDestroyGenerator(generator) == CURAND_STATUS_SUCCESS);
  return result;
}

} // namespace

TEST_CASE("curand: lists of uniform numbers, by one call and by several") {
  for (const std::vector<int> &counts : {std::vector<int>{20'001}, {1, 6'001, 3, 13'996}}) {
    CHECK(uniform_digest(CURAND_RNG_PSEUDO_DEFAULT, counts) == 0xc6df92d4c94d664u);
    CHECK(uniform_digest(CURAND_RNG_PSEUDO_PHILOX4_32_10, counts) == 0x32e23f16b0115393u);
  }
}
