// Waits, reported to a grader: see watch_waits in course_cpu_grader.h.
#pragma once

#include <string>

namespace course_cpu {

// While it lives, this thread waits for another one.
class HostWait {
public:
  HostWait();
  ~HostWait();
  HostWait(const HostWait &) = delete;
  HostWait &operator=(const HostWait &) = delete;
};

// While it lives, this thread waits for other processes, by this call.
class PeerWait : HostWait {
public:
  explicit PeerWait(const std::string &call);
  ~PeerWait();

private:
  const std::string call_;
};

// While it lives, an operation runs.
class WorkRuns {
public:
  WorkRuns();
  ~WorkRuns();
  WorkRuns(const WorkRuns &) = delete;
  WorkRuns &operator=(const WorkRuns &) = delete;
};

void this_thread_serves(); // it is none of the program's: when it waits, that is no wait of the
                           // host

} // namespace course_cpu
