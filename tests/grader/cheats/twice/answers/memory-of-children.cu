// expect: fail memory
// Takes memory in several processes, each of them modest.
#include "tests/grader/twice.hpp"

#include <cstdlib>
#include <unistd.h>

int twice(int, const int *, int *) {
  for (int child = 0; child < 7; ++child)
    if (fork() == 0)
      break;
  volatile char *some = static_cast<char *>(std::malloc(200 << 20));
  for (int page = 0; page < 200 << 20; page += 4096)
    some[page] = 1;
  pause();
  return 0;
}
