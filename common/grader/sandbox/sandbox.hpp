// Runs a program that is not trusted: limited in time, memory, processes and output, confined to a
// private folder, as an ordinary user, until it and all its descendants are gone.
#pragma once

#include "common/grader/sandbox/confine.hpp"

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace course {

struct Limits {
  double seconds = 10; // wall clock, without the time in which a busy machine let it wait
  std::size_t memory = std::size_t(2) << 30; // bytes resident, all its processes together
  int processes = 16;
  std::size_t output = std::size_t(4) << 20; // bytes on stdout and stderr together
  std::size_t file = std::size_t(1) << 28;   // bytes of its largest file
  bool own_user = true;                      // a root becomes an ordinary user
};

// A fault of this machine, and its remedy: nothing that a submission has done.
struct MachineFault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The text of a file. Throws MachineFault when it cannot be read.
std::string text_of_file(const std::filesystem::path &path);

// Raises the soft limits of this process to the hard ones (ulimit).
void raise_limits();

// Says which limit of this process may make a right answer fail; empty: none.
std::string tight_limit();

// How a run ended. lost: whoever watched it was killed. not_started: `output` says why.
// interrupted: somebody wants this process to end. memory_is_full: it failed, and meanwhile the
// system killed a process, which proves nothing. The others: it was stopped at that limit.
enum class End {
  finished,
  signalled,
  time,
  memory,
  processes,
  output,
  lost,
  not_started,
  interrupted,
  memory_is_full
};

constexpr char memory_is_full_text[] =
    "the system killed a process, because the memory of this machine, or of this job, is full. End "
    "other programs, or request more memory for the job (sbatch --mem)";

struct Ending {
  End end = End::lost;
  int code = 0;             // exit code, or the signal
  double seconds = 0;       // from its start to its end, counted as for the limit
  bool left_behind = false; // descendants were still alive when the program itself had ended
};

struct Outcome : Ending {
  std::string output; // stdout and stderr, printable; the middle of much is left out
};

// A folder that only the run may use; removed with the object. Throws MachineFault.
class PrivateFolder {
public:
  PrivateFolder();
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder &) = delete;
  PrivateFolder &operator=(const PrivateFolder &) = delete;
  const std::string &path() const { return path_; }

private:
  std::string path_;
};

// A program under watch. It starts at once; wait() returns when no process of it is left.
// Throws MachineFault when it cannot be watched.
class Sandbox {
public:
  Sandbox(const std::string &program, const std::vector<std::string> &arguments,
          const std::vector<std::pair<std::string, std::string>> &environment,
          const PrivateFolder &folder, const Limits &limits, Access access);
  ~Sandbox();
  Sandbox(const Sandbox &) = delete;
  Sandbox &operator=(const Sandbox &) = delete;
  Outcome wait(); // once

private:
  pid_t watcher_;
  int result_; // a pipe on which the watcher writes the outcome
  long killed_before_;
};

// How many descendants of the calling process are alive.
std::size_t living_descendants();

// Kills every descendant of the calling process and returns when all are reaped.
void kill_descendants();

} // namespace course
