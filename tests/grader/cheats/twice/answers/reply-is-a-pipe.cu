// expect: fail exit|forgery
// Lets the judge wait for a writer.
#include "tests/grader/twice.hpp"

#include <sys/stat.h>
#include <unistd.h>

static const int waits = [] {
  _exit(mkfifo("reply", 0666));
  return 0;
}();

int twice(int, const int *, int *) { return 0; }
