// expect: fail memory
// Takes memory, and writes to it, until it may not.
#include "tests/grader/twice.hpp"

#include <cstdlib>
#include <cstring>

int twice(int, const int *, int *) {
  for (;;)
    if (void *more = std::malloc(32 << 20))
      std::memset(more, 1, 32 << 20);
}

int main() { return 0; }
