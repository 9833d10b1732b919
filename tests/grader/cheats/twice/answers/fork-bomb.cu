// expect: fail processes
// Starts processes until it may not.
#include "tests/grader/twice.hpp"

#include <unistd.h>

int twice(int, const int *, int *) {
  for (;;)
    fork();
}
