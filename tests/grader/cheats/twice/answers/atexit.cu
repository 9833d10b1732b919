// expect: fail value
// Makes every end a success.
#include "tests/grader/twice.hpp"

#include <cstdlib>
#include <unistd.h>

static const int hidden = std::atexit([] { _exit(0); });

int twice(int n, const int *, int *) { return n; }

int main() { return 0; }
