// expect: fail compile
// Switches the counting off.
#include "tests/grader/counted.hpp"

namespace course_cpu::tools {
extern bool counting;
}

int twice(int n, const int *, int *) {
  course_cpu::tools::counting = false;
  return n;
}
