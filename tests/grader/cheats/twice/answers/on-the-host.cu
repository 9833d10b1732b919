// expect: fail idle
// The host does it all.
#include "tests/grader/twice.hpp"

int twice(int n, const int *in, int *out) {
  for (int i = 0; i < n; ++i)
    out[i] = 2 * in[i];
  return n;
}

int main() { return 0; }
