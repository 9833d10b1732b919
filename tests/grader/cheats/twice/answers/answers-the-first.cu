// expect: fail value
// Knows one answer by heart.
#include "tests/grader/twice.hpp"

__global__ void nothing() {}

int twice(int n, const int *in, int *out) {
  nothing<<<1, 1>>>();
  for (int i = 0; i < n; ++i)
    out[i] = 2 * in[0];
  return n;
}

int main() { return 0; }
