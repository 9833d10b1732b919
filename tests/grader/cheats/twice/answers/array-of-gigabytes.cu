// expect: fail compile
// Lets the compiler write gigabytes.
#include "tests/grader/twice.hpp"

volatile int many[1 << 29] = {1};

int twice(int, const int *, int *) { return 0; }
