// expect: fail exit
// Ends with the exit code of a grader that failed.
#include "tests/grader/twice.hpp"

#include <unistd.h>

static const int ended = (_exit(2), 0);

int twice(int n, const int *in, int *out) {
  for (int i = 0; i < n; ++i)
    out[i] = 2 * in[i];
  return n;
}

int main() { return 0; }
