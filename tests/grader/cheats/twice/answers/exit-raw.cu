// expect: fail exit
// Ends by a system call that no library function sees.
#include "tests/grader/twice.hpp"

#include <sys/syscall.h>
#include <unistd.h>

static const long ended = syscall(SYS_exit_group, 0);

int twice(int, const int *, int *) { return 0; }
