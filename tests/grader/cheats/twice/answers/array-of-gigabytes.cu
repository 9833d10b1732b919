// expect: fail compile
// Lets the compiler write gigabytes.
#include "tests/grader/twice.hpp"

volatile int many[1 << 29] = {1};

int twice(int n, const int *in, int *out) {
  for (int i = 0; i < n; ++i)
    out[i] = 2 * in[i];
  return n;
}

int main() { return 0; }
