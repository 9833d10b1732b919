// cuRAND's generators XORWOW and Philox4_32_10: the sequences of NVIDIA's, number by number. All of
// it is in headers, so that the tools see each access.
#pragma once

#include "../cuda_runtime.h"
#include "execution.h"

#include <array>
#include <cstdint>

COURSE_CPU_BOTH_SPACES

namespace course_cpu {

// ---- XORWOW: Marsaglia's xorshift over five words, plus a counter ----

using XorwowWords = std::array<std::uint32_t, 5>;

inline XorwowWords xorwow_step(const XorwowWords &v) {
  const std::uint32_t t = v[0] ^ v[0] >> 2;
  return {v[1], v[2], v[3], v[4], v[4] ^ v[4] << 4 ^ t ^ t << 1};
}

// A step is linear over bits, so many steps are the power of a matrix: what becomes of each bit.
using XorwowMatrix = std::array<XorwowWords, 160>;

inline XorwowWords xorwow_times(const XorwowMatrix &matrix, const XorwowWords &v) {
  XorwowWords result = {};
  for (int word = 0; word < 5; ++word)
    for (std::uint32_t rest = v[word]; rest != 0; rest &= rest - 1) {
      const XorwowWords &column = matrix[32 * word + __builtin_ctz(rest)];
      for (int i = 0; i < 5; ++i)
        result[i] ^= column[i];
    }
  return result;
}

// The matrices of 2^0, 2^1, ... steps. A sequence has 2^67 numbers.
constexpr int xorwow_sequence_bits = 67, xorwow_powers = xorwow_sequence_bits + 64;
// The first thread that needs them computes them. C++ makes the others wait, which racecheck does
// not see, so it must not see the values written, either.
struct XorwowPowers {
  std::array<XorwowMatrix, xorwow_powers> matrices;

  __attribute__((no_sanitize("thread"))) XorwowPowers() {
    for (int i = 0; i < 160; ++i) {
      XorwowWords unit = {};
      unit[i / 32] = 1u << i % 32;
      matrices[0][i] = xorwow_step(unit);
    }
    for (int bit = 1; bit < xorwow_powers; ++bit)
      for (int i = 0; i < 160; ++i)
        matrices[bit][i] = xorwow_times(matrices[bit - 1], matrices[bit - 1][i]);
  }
};
inline const XorwowMatrix &xorwow_power(int bit) {
  static const XorwowPowers powers;
  return powers.matrices[bit];
}

struct Xorwow {
  std::uint32_t d;
  XorwowWords v;
};

inline void curand_init(unsigned long long seed, unsigned long long sequence,
                        unsigned long long offset, Xorwow *state) {
  const std::uint32_t low = 1099087573u * (static_cast<std::uint32_t>(seed) ^ 0xaad26b49u);
  const std::uint32_t high = 2591861531u * (static_cast<std::uint32_t>(seed >> 32) ^ 0xf7dcefddu);
  *state = Xorwow{
      6615241u + high + low + static_cast<std::uint32_t>(offset) * 362437,
      {123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high, 5783321u + low}};
  for (int bit = 0; bit < 64; ++bit) {
    if (sequence >> bit & 1) // 2^67 steps leave d as it is
      state->v = xorwow_times(xorwow_power(xorwow_sequence_bits + bit), state->v);
    if (offset >> bit & 1)
      state->v = xorwow_times(xorwow_power(bit), state->v);
  }
}

inline unsigned curand(Xorwow *state) {
  state->v = xorwow_step(state->v);
  state->d += 362437;
  return state->v[4] + state->d;
}

// ---- Philox4_32_10: ten rounds over a counter, four numbers at once (Salmon et al., 2011) ----

struct Philox {
  std::uint64_t counter[2], key; // counter[1]: the sequence
  uint4 numbers;                 // those of the counter
  unsigned used;                 // so many of them
};

inline void philox_numbers(Philox *state) {
  auto x = static_cast<std::uint32_t>(state->counter[0]),
       z = static_cast<std::uint32_t>(state->counter[1]);
  auto y = static_cast<std::uint32_t>(state->counter[0] >> 32),
       w = static_cast<std::uint32_t>(state->counter[1] >> 32);
  auto key_low = static_cast<std::uint32_t>(state->key),
       key_high = static_cast<std::uint32_t>(state->key >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t(0xD2511F53u) * x, b = std::uint64_t(0xCD9E8D57u) * z;
    x = static_cast<std::uint32_t>(b >> 32) ^ y ^ key_low;
    y = static_cast<std::uint32_t>(b);
    z = static_cast<std::uint32_t>(a >> 32) ^ w ^ key_high;
    w = static_cast<std::uint32_t>(a);
    key_low += 0x9E3779B9u;
    key_high += 0xBB67AE85u;
  }
  state->numbers = {x, y, z, w};
}

inline void philox_advance(std::uint64_t n, Philox *state) {
  state->counter[0] += n;
  state->counter[1] += state->counter[0] < n;
  philox_numbers(state);
}

inline void curand_init(unsigned long long seed, unsigned long long sequence,
                        unsigned long long offset, Philox *state) {
  *state = Philox{{0, sequence}, seed, {}, static_cast<unsigned>(offset % 4)};
  philox_advance(offset / 4, state);
}

inline unsigned curand(Philox *state) {
  const unsigned numbers[] = {state->numbers.x, state->numbers.y, state->numbers.z,
                              state->numbers.w};
  const unsigned result = numbers[state->used];
  if (++state->used == 4) {
    state->used = 0;
    philox_advance(1, state);
  }
  return result;
}

inline uint4 curand4(Philox *state) {
  uint4 result;
  for (unsigned *number : {&result.x, &result.y, &result.z, &result.w})
    *number = curand(state);
  return result;
}

// ---- uniform numbers: more than 0, at most 1 ----

inline float uniform(unsigned x) { return x * 0x1p-32f + 0x1p-33f; }
template <class State> float curand_uniform(State *state) { return uniform(curand(state)); }
inline float4 curand_uniform4(Philox *state) {
  const uint4 x = curand4(state);
  return {uniform(x.x), uniform(x.y), uniform(x.z), uniform(x.w)};
}

} // namespace course_cpu

COURSE_CPU_BOTH_SPACES_END
