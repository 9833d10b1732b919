// The part of cuRAND's host API that the CPU backend has: uniform numbers by XORWOW and
// Philox4_32_10, in NVIDIA's order. What is missing fails at compile time with its name.
#pragma once

#include "course_cpu/random.h"

#include <cstddef>
#include <type_traits>

#define CURAND_H_ // others look whether NVIDIA's header is there

#define CURAND_VERSION 10400

enum curandStatus_t {
  CURAND_STATUS_SUCCESS = 0,
  CURAND_STATUS_VERSION_MISMATCH = 100,
  CURAND_STATUS_NOT_INITIALIZED = 101,
  CURAND_STATUS_ALLOCATION_FAILED = 102,
  CURAND_STATUS_TYPE_ERROR = 103,
  CURAND_STATUS_OUT_OF_RANGE = 104,
  CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  CURAND_STATUS_LAUNCH_FAILURE = 201,
  CURAND_STATUS_PREEXISTING_FAILURE = 202,
  CURAND_STATUS_INITIALIZATION_FAILED = 203,
  CURAND_STATUS_ARCH_MISMATCH = 204,
  CURAND_STATUS_INTERNAL_ERROR = 999
};

enum curandRngType_t {
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161
};
using curandRngType = curandRngType_t;

struct curandGenerator_st {
  curandRngType_t type;
  unsigned long long seed = 0;
  void *states = nullptr; // one for each sequence; none before the first number
  std::size_t next = 0;   // number
};
using curandGenerator_t = curandGenerator_st *;

namespace course_cpu {

// The first `width` numbers come from sequence 0, the next ones from sequence 1, and so on, and
// after the last sequence from sequence 0 again.
template <class State>
curandStatus_t uniform_numbers(curandGenerator_t generator, float *out, std::size_t count) {
  constexpr bool is_philox = std::is_same<State, Philox>::value;
  constexpr std::size_t sequences = is_philox ? 65536 : 4096, width = is_philox ? 4 : 1;
  if (!generator->states) {
    if (cudaMallocManaged(&generator->states, sequences * sizeof(State)) != cudaSuccess)
      return CURAND_STATUS_ALLOCATION_FAILED;
    for (std::size_t i = 0; i < sequences; ++i)
      curand_init(generator->seed, i, 0, static_cast<State *>(generator->states) + i);
    generator->next = 0;
  }
  auto *const states = static_cast<State *>(generator->states);
  const std::size_t first = generator->next / width;   // sequence
  const std::size_t skipped = generator->next % width; // of its numbers, which came before
  generator->next = (generator->next + count) % (sequences * width);
  const Site site{"curandGenerate", __FILE__, __LINE__};
  constexpr int threads = 256;
  const Configuration configuration(dim3(sequences / threads), threads);
  if (!launch_allowed(configuration, site))
    return CURAND_STATUS_LAUNCH_FAILURE;
  enqueue(nullptr, [=] {
    run_grid(site, configuration, [=] {
      const std::size_t sequence = blockIdx.x * threads + threadIdx.x;
      State &state = states[sequence];
      for (std::size_t item = (sequence + sequences - first) % sequences;
           item * width < skipped + count; item += sequences) {
        State after = state;
        for (std::size_t i = item * width; i < (item + 1) * width; ++i) {
          const float number = curand_uniform(&after);
          if (i >= skipped && i < skipped + count)
            out[i - skipped] = number;
        }
        if ((item + 1) * width <= skipped + count)
          state = after; // else the next call takes the rest of this item
      }
    });
  });
  return CURAND_STATUS_SUCCESS;
}

} // namespace course_cpu

inline curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type) {
  if (type != CURAND_RNG_PSEUDO_DEFAULT && type != CURAND_RNG_PSEUDO_XORWOW &&
      type != CURAND_RNG_PSEUDO_PHILOX4_32_10)
    return CURAND_STATUS_TYPE_ERROR;
  *generator = new curandGenerator_st{type};
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                         unsigned long long seed) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  cudaFree(generator->states); // waits for the kernels that use them
  generator->states = nullptr;
  generator->seed = seed;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  const curandStatus_t status = curandSetPseudoRandomGeneratorSeed(generator, 0);
  delete generator;
  return status;
}

// More than 0, at most 1.
inline curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *out, size_t count) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  return generator->type == CURAND_RNG_PSEUDO_PHILOX4_32_10
             ? course_cpu::uniform_numbers<course_cpu::Philox>(generator, out, count)
             : course_cpu::uniform_numbers<course_cpu::Xorwow>(generator, out, count);
}
