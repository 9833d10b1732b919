// expect: fail crash
// Writes through a pointer to nowhere.
#include "tests/grader/twice.hpp"

int twice(int n, const int *, int *) {
  *reinterpret_cast<volatile int *>(8) = 1;
  return n;
}

int main() { return 0; }
