// expect: fail exit
// Makes every crash a success.
#include "tests/grader/twice.hpp"

#include <csignal>
#include <unistd.h>

int twice(int n, const int *, int *) {
  std::signal(SIGSEGV, [](int) { _exit(0); });
  *reinterpret_cast<volatile int *>(8) = 1;
  return n;
}

int main() { return 0; }
