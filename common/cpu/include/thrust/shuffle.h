// Elements in a random order, which is not Thrust's.
#pragma once

#include "execution.h"
#include "random.h"

#include <utility>

COURSE_CPU_BOTH_SPACES

namespace thrust {

template <class Policy, class It, class Engine>
void shuffle(const Policy &policy, It begin, It end, Engine &&engine) {
  course_cpu::run(
      policy, "thrust::shuffle",
      [b = course_cpu::in_kernel_code(begin), count = end - begin, seeded = minstd_rand(engine())] {
        minstd_rand random = seeded;
        for (std::ptrdiff_t i = count - 1; i > 0; --i)
          std::swap(b[i], b[uniform_int_distribution<std::ptrdiff_t>(0, i)(random)]);
      });
}
template <class It, class Engine> void shuffle(It begin, It end, Engine &&engine) {
  thrust::shuffle(course_cpu::PolicyOf<It>(), begin, end, engine);
}

} // namespace thrust

COURSE_CPU_BOTH_SPACES_END
