// expect: fail exit|forgery
// Kills the process that watches it.
#include "tests/grader/twice.hpp"

#include <csignal>
#include <unistd.h>

static const int killed = [] {
  kill(getppid(), SIGKILL);
  usleep(100000);
  _exit(0);
  return 0;
}();

int twice(int, const int *, int *) { return 0; }

int main() { return 0; }
