// expect: fail oob
// Right, and writes one element too many in host memory.
#include "tests/grader/twice.hpp"

int twice(int n, const int *in, int *out) {
  for (int i = 0; i <= n; ++i)
    out[i] = 2 * (i < n ? in[i] : 1);
  return n;
}

int main() { return 0; }
