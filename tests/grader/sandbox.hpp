// Runs a program that is not trusted: limited in time, memory, processes and output, in a private
// folder, as an ordinary user, until it and all its descendants are gone.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace course {

struct Limits {
  double seconds = 10;                       // wall clock
  std::size_t memory = std::size_t(2) << 30; // bytes resident, all its processes together
  int processes = 16;
  std::size_t output = std::size_t(4) << 20; // bytes on stdout and stderr together
  std::size_t file = std::size_t(1) << 30;   // bytes of its largest file
};

// How a run ended; what is not `finished` or `signalled` was stopped at that limit.
enum class End { finished, signalled, time, memory, processes, output, lost };

struct Outcome {
  End end = End::lost;      // lost: whoever watched it was killed
  int code = 0;             // exit code, or the signal
  bool left_behind = false; // descendants were still alive when the program itself had ended
  std::string output;       // the end of stdout and stderr, control characters replaced
};

// A folder that only the run may use; removed with the object.
class PrivateFolder {
public:
  PrivateFolder();
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder &) = delete;
  PrivateFolder &operator=(const PrivateFolder &) = delete;
  const std::string &path() const { return path_; }

  // Removes this user's folders of processes that were killed.
  static void sweep();

private:
  std::string path_;
  int lock_;
};

// A program under watch. It starts at once; wait() returns when no process of it is left.
// Throws std::runtime_error when it cannot be started.
class Sandbox {
public:
  Sandbox(const std::string &program, const std::vector<std::string> &arguments,
          const std::vector<std::pair<std::string, std::string>> &environment,
          const PrivateFolder &folder, const Limits &limits);
  Outcome wait();

private:
  pid_t watcher_;
  int result_; // a pipe on which the watcher writes the outcome
};

// How many descendants of the calling process are alive.
std::size_t living_descendants();

// Kills every descendant of the calling process and returns when all are reaped.
void kill_descendants();

} // namespace course
