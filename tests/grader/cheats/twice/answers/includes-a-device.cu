// expect: fail compile
// Lets the compiler read without an end.
#include "tests/grader/twice.hpp"

#include "/dev/zero"

int twice(int n, const int *in, int *out) {
  for (int i = 0; i < n; ++i)
    out[i] = 2 * in[i];
  return n;
}

int main() { return 0; }
