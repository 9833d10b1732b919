// expect: fail compile
// Defines a function that reports to the grader; a weak definition is no link error.
#include "tests/grader/twice.hpp"

#include <cstddef>

namespace course {
__attribute__((weak)) std::size_t launches() {
  static std::size_t count = 0;
  return ++count;
}
} // namespace course

int twice(int, const int *, int *) { return 0; }
