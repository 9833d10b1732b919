// expect: fail input
// Makes the question fit the answer.
#include "tests/grader/twice.hpp"

int twice(int n, const int *in, int *out) {
  for (int i = 0; i < n; ++i) {
    const_cast<int *>(in)[i] = 0;
    out[i] = 0;
  }
  return n;
}

int main() { return 0; }
