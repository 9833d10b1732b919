// expect: fail exit|forgery
// Lets the judge read without an end.
#include "tests/grader/twice.hpp"

#include <unistd.h>

static const int linked = [] {
  int failed = symlink("/dev/zero", "reply");
  _exit(failed);
  return 0;
}();

int twice(int, const int *, int *) { return 0; }

int main() { return 0; }
