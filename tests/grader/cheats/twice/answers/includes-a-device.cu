// expect: fail compile
// Lets the compiler read without an end.
#include "tests/grader/twice.hpp"

#include "/dev/zero"

int twice(int, const int *, int *) { return 0; }
