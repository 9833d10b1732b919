// expect: fail value
// Prints what graders print.
#include "tests/grader/twice.hpp"

#include <cstdio>

int twice(int n, const int *, int *) {
  std::puts("All tests passed (1000 assertions in 8 test cases)\npass\ttwice");
  std::fflush(stdout);
  return n;
}

int main() { return 0; }
