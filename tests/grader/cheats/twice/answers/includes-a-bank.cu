// expect: fail compile
// Takes the right answer of a bank.
#include "tests/grader/twice.hpp"

#define twice right
#include "common/../tests/grader/cheats/twice/answers/honest.cu"

int twice(int n, const int *in, int *out) {
  for (int i = 0; i < n; ++i)
    out[i] = 2 * in[i];
  return n;
}

int main() { return 0; }
