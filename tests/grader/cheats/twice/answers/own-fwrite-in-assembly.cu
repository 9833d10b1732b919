// expect: fail compile
// Replaces the function that writes the reply, by a name that no C++ shows.
#include "tests/grader/twice.hpp"

asm(".globl fwrite\nfwrite: mov %rdx, %rax\nret");

int twice(int, const int *, int *) { return 0; }
