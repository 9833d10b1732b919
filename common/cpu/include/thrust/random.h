// Random numbers for host and device code: Thrust's sequences.
#pragma once

#include "../cuda_runtime.h"

#include <iostream> // as in Thrust
#include <limits>

COURSE_CPU_BOTH_SPACES

namespace thrust {

// x -> 48271 x mod (2^31 - 1).
class minstd_rand {
public:
  using result_type = unsigned;
  static constexpr result_type modulus = 2147483647, min = 1, max = modulus - 1, default_seed = 1;

  explicit minstd_rand(result_type seed = default_seed) { this->seed(seed); }
  void seed(result_type value = default_seed) { x_ = value % modulus == 0 ? 1 : value % modulus; }
  result_type operator()() { return x_ = times(x_, multiplier); }
  // As if it were called that many times: by squares of the multiplier.
  void discard(unsigned long long count) {
    for (result_type power = multiplier; count > 0; count /= 2, power = times(power, power))
      if (count % 2 == 1)
        x_ = times(x_, power);
  }

private:
  static constexpr result_type multiplier = 48271;
  static result_type times(result_type a, result_type b) {
    return static_cast<result_type>(static_cast<unsigned long long>(a) * b % modulus);
  }
  result_type x_;
};
using default_random_engine = minstd_rand;

// At least `from` and less than `to`.
template <class T = double> class uniform_real_distribution {
public:
  using result_type = T;
  explicit uniform_real_distribution(T from = 0, T to = 1) : from_(from), to_(to) {}
  template <class Engine> T operator()(Engine &engine) const {
    const T share =
        static_cast<T>(engine() - Engine::min) / (T(1) + static_cast<T>(Engine::max - Engine::min));
    return share * (to_ - from_) + from_;
  }

private:
  T from_, to_;
};

// From `from` to `to`, both included.
template <class T = int> class uniform_int_distribution {
public:
  using result_type = T;
  explicit uniform_int_distribution(T from = 0, T to = std::numeric_limits<T>::max())
      : share_(static_cast<double>(from), static_cast<double>(to) + 1) {}
  template <class Engine> T operator()(Engine &engine) const {
    return static_cast<T>(share_(engine));
  }

private:
  uniform_real_distribution<double> share_;
};

namespace random {
using thrust::default_random_engine;
using thrust::minstd_rand;
using thrust::uniform_int_distribution;
using thrust::uniform_real_distribution;
} // namespace random

} // namespace thrust

COURSE_CPU_BOTH_SPACES_END
