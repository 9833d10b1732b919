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

int twice(int n, const int *in, int *out) {
  for (int i = 0; i < n; ++i)
    out[i] = 2 * in[i];
  return n;
}

int main() { return 0; }
