// The processes of this machine, as /proc shows them.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <map>

namespace course {

struct Process {
  pid_t parent;
  char state;
  long threads;
  std::size_t resident; // bytes
};

// The living descendants of this process.
std::map<pid_t, Process> descendants();

// The same at a tenth of the price, for a look every few milliseconds: one that is being born or
// has just lost its parent may be missing.
std::map<pid_t, Process> listed_descendants();

// True if a process exists and is not a descendant of this one.
bool is_outside(pid_t process);

// Bytes of memory that these processes hold in files that no folder names: memfd_create, and files
// that were removed while open. None of it is resident in a process.
std::size_t unnamed_files(const std::map<pid_t, Process> &processes);

// The most seconds that a thread of these processes has waited for a processor so far, able to run;
// 0 where the kernel does not tell.
double longest_wait(const std::map<pid_t, Process> &processes);

// Threads that the current user has now; RLIMIT_NPROC counts them all.
long threads_of_user();

} // namespace course
