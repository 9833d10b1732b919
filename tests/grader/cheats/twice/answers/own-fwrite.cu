// expect: fail compile
// Writes the reply its own way.
#include "tests/grader/twice.hpp"

#include <cstdio>

extern "C" std::size_t fwrite(const void *, std::size_t, std::size_t count, std::FILE *) {
  return count;
}

int twice(int n, const int *in, int *out) {
  for (int i = 0; i < n; ++i)
    out[i] = 2 * in[i];
  return n;
}

int main() { return 0; }
