// expect: fail processes|value
// Leaves the work to a process that outlives it.
#include "tests/grader/twice.hpp"

#include <unistd.h>

int twice(int n, const int *, int *) {
  if (fork() == 0) {
    setsid();
    sleep(30);
    _exit(0);
  }
  return n;
}

int main() { return 0; }
