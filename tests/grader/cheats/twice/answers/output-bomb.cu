// expect: fail output
// Prints until it may not.
#include "tests/grader/twice.hpp"

#include <cstdio>

int twice(int, const int *, int *) {
  for (;;)
    std::puts("and again, and again, and again, and again, and again, and again");
}
