// expect: fail crash|exit|compile
// Cannot be started, since it is larger than the machine.
#include "tests/grader/twice.hpp"

volatile char many[1ll << 45];

int twice(int n, const int *in, int *out) {
  for (int i = 0; i < n; ++i)
    out[i] = 2 * in[i];
  return n + many[n];
}

int main() { return 0; }
