// The part of cuRAND's host API that the CPU backend has: lists of random numbers by XORWOW and
// Philox4_32_10, in NVIDIA's order. What is missing fails at compile time with its name.
#pragma once

#include "course_cpu/random.h"

#include <new>
#include <vector>

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
  bool on_host;
  unsigned long long seed = 0, offset = 0;
  cudaStream_t stream = nullptr;
  // One state for each sequence, and where in them the next number is; none before the first
  // number.
  void *states = nullptr;
  std::size_t next = 0;
};
using curandGenerator_t = curandGenerator_st *;

namespace course_cpu {

// How the host API numbers its lists: an item of `width` numbers comes from sequence 0, the next
// item from sequence 1, and so on, and after the last one from sequence 0 again.
template <class State> constexpr std::size_t random_sequences = 4096;
template <> inline constexpr std::size_t random_sequences<Philox> = 65536;

// The items of each kind of number: draw(state, out) writes `width` of them.
struct RandomBits {
  using Value = unsigned;
  static constexpr int width(const Xorwow *) { return 1; }
  static void draw(Xorwow *state, unsigned *out) { out[0] = curand(state); }
  static void draw(Philox *state, unsigned *out) {
    for (int i = 0; i < 4; ++i)
      out[i] = curand(state);
  }
};
struct RandomUniform {
  using Value = float;
  static constexpr int width(const Xorwow *) { return 1; }
  static void draw(Xorwow *state, float *out) { out[0] = curand_uniform(state); }
  static void draw(Philox *state, float *out) {
    for (int i = 0; i < 4; ++i)
      out[i] = curand_uniform(state);
  }
};
struct RandomUniformDouble {
  using Value = double;
  static constexpr int width(const Xorwow *) { return 1; }
  static void draw(Xorwow *state, double *out) { out[0] = curand_uniform_double(state); }
  static void draw(Philox *state, double *out) {
    for (int i = 0; i < 4; i += 2) {
      const double2 pair = curand_uniform2_double(state);
      out[i] = pair.x;
      out[i + 1] = pair.y;
    }
  }
};
template <class T> struct RandomNormal {
  using Value = T;
  T mean, deviation;
  static constexpr int width(const Xorwow *) { return 2; }
  template <class State> void draw(State *state, T *out) const {
    for (int i = 0; i < (std::is_same<State, Philox>::value ? 4 : 2); ++i) {
      if constexpr (std::is_same<T, float>::value)
        out[i] = mean + deviation * curand_normal(state);
      else
        out[i] = mean + deviation * curand_normal_double(state);
    }
  }
};
template <class Kind> constexpr std::size_t random_width(const Kind &, const Xorwow *state) {
  return Kind::width(state);
}
template <class Kind> constexpr std::size_t random_width(const Kind &, const Philox *) { return 4; }

template <class State> curandStatus_t random_states(curandGenerator_t generator) {
  constexpr std::size_t count = random_sequences<State>;
  if (generator->states)
    return CURAND_STATUS_SUCCESS;
  if (cudaMallocManaged(&generator->states, count * sizeof(State)) != cudaSuccess)
    return CURAND_STATUS_ALLOCATION_FAILED;
  // The offset counts numbers of the plain list.
  constexpr std::size_t width = std::is_same<State, Philox>::value ? 4 : 1;
  const unsigned long long items = generator->offset / width;
  for (std::size_t i = 0; i < count; ++i)
    curand_init(generator->seed, i, (items / count + (i < items % count)) * width,
                static_cast<State *>(generator->states) + i);
  generator->next = generator->offset % (count * width);
  return CURAND_STATUS_SUCCESS;
}

template <class State, class Kind>
curandStatus_t random_numbers(curandGenerator_t generator, typename Kind::Value *out,
                              std::size_t count, const Kind &kind) {
  if (const curandStatus_t status = random_states<State>(generator))
    return status;
  constexpr std::size_t sequences = random_sequences<State>;
  auto *const states = static_cast<State *>(generator->states);
  const std::size_t width = random_width(kind, states);
  const std::size_t plain_width = std::is_same<State, Philox>::value ? 4 : 1;
  const std::size_t first = generator->next / plain_width;   // sequence
  const std::size_t skipped = generator->next % plain_width; // numbers of its item, given before
  const auto numbers_of = [=](std::size_t sequence) {
    State &state = states[sequence];
    for (std::size_t item = (sequence + sequences - first) % sequences;
         item * width < skipped + count; item += sequences) {
      State after = state;
      typename Kind::Value values[4] = {}; // g++ does not see that `width` of them are drawn
      kind.draw(&after, values);
      for (std::size_t i = 0; i < width; ++i)
        if (const std::size_t place = item * width + i; place >= skipped && place < skipped + count)
          out[place - skipped] = values[i];
      if ((item + 1) * width <= skipped + count)
        state = after; // else the next call takes the rest of this item
    }
  };
  generator->next =
      (generator->next + (plain_width == 1 ? count / width : count)) % (sequences * plain_width);
  if (generator->on_host) {
    for (std::size_t sequence = 0; sequence < sequences; ++sequence)
      numbers_of(sequence);
    return CURAND_STATUS_SUCCESS;
  }
  const Site site{"curandGenerate", __FILE__, __LINE__};
  constexpr int threads = 256;
  const Configuration configuration(dim3(sequences / threads), threads, 0, generator->stream);
  if (!launch_allowed(configuration, site))
    return CURAND_STATUS_LAUNCH_FAILURE;
  enqueue(generator->stream, [=] {
    run_grid(site, configuration, [=] { numbers_of(blockIdx.x * threads + threadIdx.x); });
  });
  return CURAND_STATUS_SUCCESS;
}

template <class Kind>
curandStatus_t random_numbers(curandGenerator_t generator, typename Kind::Value *out,
                              std::size_t count, const Kind &kind) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  return generator->type == CURAND_RNG_PSEUDO_PHILOX4_32_10
             ? random_numbers<Philox>(generator, out, count, kind)
             : random_numbers<Xorwow>(generator, out, count, kind);
}

inline void forget_states(curandGenerator_t generator) {
  cudaFree(generator->states); // waits for the kernels that use them
  generator->states = nullptr;
}

inline curandStatus_t create_generator(curandGenerator_t *generator, curandRngType_t type,
                                       bool on_host) {
  if (type != CURAND_RNG_PSEUDO_DEFAULT && type != CURAND_RNG_PSEUDO_XORWOW &&
      type != CURAND_RNG_PSEUDO_PHILOX4_32_10)
    return CURAND_STATUS_TYPE_ERROR;
  *generator = new curandGenerator_st{type, on_host};
  return CURAND_STATUS_SUCCESS;
}

} // namespace course_cpu

inline curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type) {
  return course_cpu::create_generator(generator, type, false);
}
// Its numbers are computed by the host, for host memory, before the call returns.
inline curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator,
                                                curandRngType_t type) {
  return course_cpu::create_generator(generator, type, true);
}
inline curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  course_cpu::forget_states(generator);
  delete generator;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandGetVersion(int *version) {
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                         unsigned long long seed) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  course_cpu::forget_states(generator);
  generator->seed = seed;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator,
                                               unsigned long long offset) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  course_cpu::forget_states(generator);
  generator->offset = offset;
  return CURAND_STATUS_SUCCESS;
}

inline curandStatus_t curandGenerate(curandGenerator_t generator, unsigned *out, size_t count) {
  return course_cpu::random_numbers(generator, out, count, course_cpu::RandomBits());
}
// More than 0, at most 1.
inline curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *out, size_t count) {
  return course_cpu::random_numbers(generator, out, count, course_cpu::RandomUniform());
}
inline curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *out,
                                                  size_t count) {
  return course_cpu::random_numbers(generator, out, count, course_cpu::RandomUniformDouble());
}
// XORWOW gives normal numbers in pairs, so `count` is even.
inline curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *out, size_t count,
                                           float mean, float deviation) {
  if (generator && generator->type != CURAND_RNG_PSEUDO_PHILOX4_32_10 && count % 2 == 1)
    return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return course_cpu::random_numbers(generator, out, count,
                                    course_cpu::RandomNormal<float>{mean, deviation});
}
inline curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *out,
                                                 size_t count, double mean, double deviation) {
  if (generator && generator->type != CURAND_RNG_PSEUDO_PHILOX4_32_10 && count % 2 == 1)
    return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return course_cpu::random_numbers(generator, out, count,
                                    course_cpu::RandomNormal<double>{mean, deviation});
}
