// expect: fail forgery
// Writes a reply of its own, one that claims success.
#include "tests/grader/twice.hpp"

#include <cstdio>
#include <unistd.h>

static const int forged = [] {
  if (std::FILE *file = std::fopen("reply", "wb")) {
    for (int i = 0; i < 4096; ++i)
      std::fputs("all tests passed\n", file);
    std::fclose(file);
  }
  _exit(0);
  return 0;
}();

int twice(int, const int *, int *) { return 0; }
