// The note of an MPI rank in the file waits.RANK while it waits: rank 0 finds a deadlock by the
// notes of all ranks, and the judge reports who waited for whom.
#pragma once

#include <ctime>

namespace course {

struct Note {
  volatile unsigned long moved; // changes when a call begins or ends
  char call[240];               // empty while the rank does not wait
  clockid_t cpu_time;           // the clock of the rank's process
  volatile bool last;           // a deadlock is found: what happens when ranks end changes no note
};

} // namespace course
