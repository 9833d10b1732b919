// expect: fail because=memory|processes
// Takes memory in several processes, each of them modest.
#include "tests/grader/twice.hpp"

#include <cstdlib>
#include <cstring>
#include <unistd.h>

int twice(int, const int *, int *) {
  for (int child = 0; child < 7; ++child)
    if (fork() == 0)
      break;
  if (void *some = std::malloc(200 << 20))
    std::memset(some, 1, 200 << 20);
  pause();
  return 0;
}

int main() { return 0; }
