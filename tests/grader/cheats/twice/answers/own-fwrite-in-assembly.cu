// expect: fail compile
// Replaces the function that writes the reply, by a name that no C++ shows.
#include "tests/grader/twice.hpp"

asm(".globl fwrite\nfwrite: mov %rdx, %rax\nret");

int twice(int n, const int *in, int *out) {
  for (int i = 0; i < n; ++i)
    out[i] = 2 * in[i];
  return n;
}

int main() { return 0; }
