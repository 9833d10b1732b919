// The processes that this one watches, as /proc shows them.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <map>

namespace course {

// The living descendants of this process, each with its resident bytes. One that is being born may
// be missing; it is there at the next look.
std::map<pid_t, std::size_t> descendants();

// True if this kernel lists the children of a process.
bool lists_children();

// Reaps the children that have ended. Returns true if one is left.
bool has_children();

// The most seconds that a thread of the descendants has waited for a processor so far, able to run;
// 0 where the kernel does not tell.
double longest_wait();

// Threads that a user has now; RLIMIT_NPROC counts them all.
long threads_of(uid_t user);

// How many processes the system has killed so far because memory was full, that of the machine or
// that of a job; 0 where the kernel does not tell.
long killed_for_memory();

} // namespace course
