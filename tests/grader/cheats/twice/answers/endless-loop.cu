// expect: fail timeout
// Never returns.
#include "tests/grader/twice.hpp"

int twice(int, const int *, int *) {
  for (volatile bool forever = true; forever;)
    ;
  return 0;
}

int main() { return 0; }
