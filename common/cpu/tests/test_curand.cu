// cuRAND: the sequences of NVIDIA's library, which the values below were computed with (CUDA 13.0:
// its device functions compiled for the host, and its host generators), from kernels and from the
// host.
#include "cuda_test.hpp"

#include <cmath>
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

// The draws of a state: `drawn` numbers, one more far ahead, one of another sequence, two uniform
// ones.
struct Drawn {
  unsigned numbers[drawn], ahead, elsewhere;
  float uniform;
  double uniform_double;
};

struct Start {
  unsigned long long seed, sequence, offset;
  unsigned first;
  std::uint64_t digest;
  unsigned ahead, elsewhere;
  float uniform;
  double uniform_double;
};

} // namespace

template <class State>
__global__ void draw(unsigned long long seed, unsigned long long sequence,
                     unsigned long long offset, Drawn *out) {
  State state;
  curand_init(seed, sequence, offset, &state);
  for (unsigned &number : out->numbers)
    number = curand(&state);
  skipahead(123456789, &state);
  out->ahead = curand(&state);
  skipahead_sequence(77, &state);
  out->elsewhere = curand(&state);
  out->uniform = curand_uniform(&state);
  out->uniform_double = curand_uniform_double(&state);
}

template <class State> void draws_as_nvidia(const std::vector<Start> &starts) {
  for (const Start &start : starts) {
    DeviceArray<Drawn> device(1);
    draw<State><<<1, 1>>>(start.seed, start.sequence, start.offset, device.data());
    const Drawn got = device.host()[0];
    CHECK(got.numbers[0] == start.first);
    CHECK(digest(std::vector<unsigned>(got.numbers, got.numbers + drawn)) == start.digest);
    CHECK(got.ahead == start.ahead);
    CHECK(got.elsewhere == start.elsewhere);
    CHECK(got.uniform == start.uniform);
    CHECK(got.uniform_double == start.uniform_double);
  }
}

// clang-format off
TEST_CASE("curand: XORWOW in kernels") {
  draws_as_nvidia<curandStateXORWOW_t>({
      {0x0u, 0x0u, 0x0u, 3179217846u, 0x46a21e2ed891b84au, 1316994124u, 1849717714u, 0x1.03d1ap-14f, 0x1.84ed9b8db988bp-2},
      {0x4d2u, 0x0u, 0x0u, 624778773u, 0xac12d3924c7d042cu, 1635972028u, 2739817982u, 0x1.b008ep-1f, 0x1.2a21fd490233cp-4},
      {0x4d2u, 0x1u, 0x0u, 3522650202u, 0x61069ee64b3623bdu, 326657583u, 704413353u, 0x1.c43c0ap-2f, 0x1.aa2dc3b865f32p-1},
      {0x4d2u, 0x5u, 0x7u, 3351265907u, 0x910df3bac374a958u, 2468183160u, 1480756440u, 0x1.c0717ap-1f, 0x1.07ee2e2e3af0cp-1},
      {0x123456789abcdefu, 0x1000u, 0xf4243u, 1945582390u, 0x453e965221d4ab64u, 1289543480u, 3129547190u, 0x1.64bc2p-1f, 0x1.a3e68f99e0e18p-5},
      {0x2au, 0xfedcba9876543210u, 0xfedcba9876543210u, 1664834848u, 0xac2610467fca1f2du, 3496652079u, 3554822910u, 0x1.c594aap-1f, 0x1.20bff0833d832p-1}});
}

TEST_CASE("curand: Philox4_32_10 in kernels") {
  draws_as_nvidia<curandStatePhilox4_32_10_t>({
      {0x0u, 0x0u, 0x0u, 1713891541u, 0x55e85a2b62c170ddu, 852654490u, 217656667u, 0x1.b91248p-3f, 0x1.f61323eep-1},
      {0x4d2u, 0x0u, 0x0u, 546353992u, 0xa4c9af6b5f4536a7u, 138173806u, 620385160u, 0x1.15e6aep-2f, 0x1.aa68319ap-1},
      {0x4d2u, 0x1u, 0x0u, 3507855656u, 0x40187bdcc1366717u, 403958747u, 4067927125u, 0x1.cb1654p-2f, 0x1.be969776p-1},
      {0x4d2u, 0x5u, 0x7u, 1925342002u, 0x1b25821352cce3a2u, 1019107963u, 1069492595u, 0x1.8ff03cp-1f, 0x1.7a990722p-1},
      {0x123456789abcdefu, 0x1000u, 0xf4243u, 3317871361u, 0x2c3ba3c23367b3c6u, 399059926u, 2650309809u, 0x1.f6f3acp-3f, 0x1.11a8f8cap-1},
      {0x2au, 0xfedcba9876543210u, 0xfedcba9876543210u, 570440324u, 0x1dffad160c68e952u, 1741694022u, 3262531342u, 0x1.7e776p-1f, 0x1.e639c02p-1}});
}
// clang-format on

template <class State> __global__ void draw_normals(float *floats, double *doubles) {
  State state;
  curand_init(7, 3, 0, &state);
  for (int i = 0; i < 4; ++i)
    floats[i] = curand_normal(&state);
  for (int i = 0; i < 4; ++i)
    doubles[i] = curand_normal_double(&state);
  const float2 pair = curand_normal2(&state);
  floats[4] = pair.x;
  floats[5] = pair.y;
}

// Logarithm and sine differ in their last bits from library to library, and on a GPU more.
template <class T> bool near(const std::vector<T> &got, const std::vector<T> &want) {
  for (std::size_t i = 0; i < want.size(); ++i)
    if (!(std::abs(got[i] - want[i]) <= (sizeof(T) == 4 ? 1e-5 : 1e-12) * (1 + std::abs(want[i]))))
      return false;
  return got.size() == want.size();
}

template <class State>
void normals_as_nvidia(const std::vector<float> &floats, const std::vector<double> &doubles) {
  DeviceArray<float> d_floats(6);
  DeviceArray<double> d_doubles(4);
  draw_normals<State><<<1, 1>>>(d_floats.data(), d_doubles.data());
  CHECK(near(d_floats.host(), floats));
  CHECK(near(d_doubles.host(), doubles));
}

TEST_CASE("curand: normal numbers in kernels") {
  normals_as_nvidia<curandStateXORWOW_t>(
      {-0.417634636f, -1.5238415f, -1.20285976f, 0.369969696f, -1.5205915f, 0.0304398127f},
      {0.53093932995781146, 0.36024437723386421, 0.29115840702106138, -0.52616487270943468});
  normals_as_nvidia<curandStatePhilox4_32_10_t>(
      {0.717820287f, 0.728883922f, -1.11799872f, -1.54324603f, -0.723897874f, -1.15339839f},
      {-0.1732713422597198, -1.2343371615164807, 0.34402791953554884, -0.22991247795762015});
}

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

struct Generator {
  curandGenerator_t handle = nullptr;
  explicit Generator(curandRngType_t type, bool on_host = false) {
    REQUIRE((on_host ? curandCreateGeneratorHost : curandCreateGenerator)(&handle, type) ==
            CURAND_STATUS_SUCCESS);
    REQUIRE(curandSetPseudoRandomGeneratorSeed(handle, 99) == CURAND_STATUS_SUCCESS);
  }
  ~Generator() { curandDestroyGenerator(handle); }
  Generator(const Generator &) = delete;
  Generator &operator=(const Generator &) = delete;
  operator curandGenerator_t() const { return handle; }
};

// Lists of a generator after an offset: of 600000 and then 10001 numbers of 32 bits; from the
// offset again 20001 uniform floats and 400001 uniform doubles; then 20000 and 20002 normal
// numbers, some of which are here, and 3 numbers of 32 bits.
struct Lists {
  unsigned long long offset;
  std::uint64_t numbers, more, uniform, uniform_double;
  std::vector<float> normal;
  std::vector<double> normal_double;
  unsigned last;
};

template <class T, class Call> std::vector<T> listed(std::size_t count, const Call &call) {
  DeviceArray<T> list(count);
  REQUIRE(call(list.data(), count) == CURAND_STATUS_SUCCESS);
  return list.host();
}

void lists_as_nvidia(curandRngType_t type, const std::vector<Lists> &all) {
  for (const Lists &want : all) {
    Generator generator(type);
    const auto numbers = [&](std::size_t count) {
      return listed<unsigned>(count,
                              [&](auto *out, auto n) { return curandGenerate(generator, out, n); });
    };
    REQUIRE(curandSetGeneratorOffset(generator, want.offset) == CURAND_STATUS_SUCCESS);
    CHECK(digest(numbers(600'000)) == want.numbers);
    CHECK(digest(numbers(10'001)) == want.more);
    REQUIRE(curandSetGeneratorOffset(generator, want.offset) == CURAND_STATUS_SUCCESS);
    CHECK(digest(listed<float>(20'001, [&](auto *out, auto n) {
            return curandGenerateUniform(generator, out, n);
          })) == want.uniform);
    CHECK(digest(listed<double>(400'001, [&](auto *out, auto n) {
            return curandGenerateUniformDouble(generator, out, n);
          })) == want.uniform_double);
    const auto floats = listed<float>(
        20'000, [&](auto *out, auto n) { return curandGenerateNormal(generator, out, n, 10, 2); });
    CHECK(near({floats[0], floats[1], floats[4097], floats[19'999]}, want.normal));
    const auto doubles = listed<double>(20'002, [&](auto *out, auto n) {
      return curandGenerateNormalDouble(generator, out, n, -1, 0.5);
    });
    CHECK(near({doubles[0], doubles[1], doubles[4097], doubles[20'001]}, want.normal_double));
    CHECK(numbers(3)[2] == want.last);
  }
}

} // namespace

// clang-format off
TEST_CASE("curand: lists of XORWOW, one kind after the other") {
  lists_as_nvidia(CURAND_RNG_PSEUDO_XORWOW, {
      {0, 0x6280dc3aec2caaabu, 0xb187f58567f70d64u, 0xc6df92d4c94d664u, 0x9755c472e80088d2u, {12.3344164f, 12.0099945f, 8.96674633f, 7.11840343f}, {-0.76059597164455606, -1.740276349169056, -0.41547303535146829, -0.70968738035429979}, 2261122126u},
      {5001, 0x7cec3ebefbcc0f37u, 0xc8d46ca496a3e1d1u, 0x17b70344cc6b1b8du, 0x563d384136440ca1u, {9.83226681f, 9.13924694f, 11.1182976f, 10.5399313f}, {-0.94227973605316873, -1.6593239700739133, -1.0287246843965216, -0.5615359173821779}, 2808719932u},
      {300007, 0x54daa2b4f37d29d9u, 0x6a7c078f87e137feu, 0x359cb96dba52f4cbu, 0x2074ff2f888ae518u, {9.38912964f, 8.66018677f, 8.78842163f, 10.6530323f}, {-1.462485306354028, -1.6797163121307439, -1.4095743467552464, -0.56643120192713092}, 3723799492u}});
}

TEST_CASE("curand: lists of Philox4_32_10, one kind after the other") {
  lists_as_nvidia(CURAND_RNG_PSEUDO_PHILOX4_32_10, {
      {0, 0xb75b43416e6f4aau, 0x83836bfb8986685fu, 0x32e23f16b0115393u, 0xf38965392464bce9u, {7.58772135f, 8.96105099f, 9.56377029f, 11.6411581f}, {-1.7358968495065201, -1.8974333078310439, -1.4388791208660736, -1.5334401738151811}, 1899356059u},
      {5001, 0x5bee6b768f14454bu, 0x680f9946d19e60eau, 0x1a1a773751024b6fu, 0xf954e481ed454fbau, {9.13531399f, 10.7625217f, 9.66161823f, 10.478611f}, {-2.2708063262066815, -1.1532453011983026, -0.31433795098336859, -0.60466297155003823}, 1066628984u},
      {300007, 0x5402da4d359601e0u, 0xd1a2ded345c8a71au, 0xa80de4b53c7058dbu, 0xb45a13da7a11015au, {9.40883541f, 9.38773537f, 11.3310223f, 9.23820591f}, {-0.83818584304068122, -0.72517335039669928, -0.98744256301675393, -0.48513621387326589}, 3646730273u}});
}
// clang-format on

TEST_CASE("curand: a generator of the host has the same numbers; streams; what is refused") {
  for (curandRngType_t type : {CURAND_RNG_PSEUDO_DEFAULT, CURAND_RNG_PSEUDO_PHILOX4_32_10}) {
    Generator device(type), host(type, true);
    std::vector<unsigned> numbers(9001);
    REQUIRE(curandGenerate(host, numbers.data(), numbers.size()) == CURAND_STATUS_SUCCESS);
    Stream stream;
    REQUIRE(curandSetStream(device, stream) == CURAND_STATUS_SUCCESS);
    CHECK(listed<unsigned>(9001, [&](auto *out, auto n) {
            const curandStatus_t status = curandGenerate(device, out, n);
            REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
            return status;
          }) == numbers);
  }
  Generator pairs(CURAND_RNG_PSEUDO_XORWOW);
  DeviceArray<float> normal(7);
  CHECK(curandGenerateNormal(pairs, normal.data(), 7, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
}
