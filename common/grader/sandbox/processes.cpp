#include "common/grader/sandbox/processes.hpp"

#include "common/grader/sandbox/sandbox.hpp"

#include <dirent.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

namespace course {
namespace {

// Calls f(folder) for the folder in /proc of each thread of a process.
template <class F> void for_each_thread(const std::string &process, const F &f) {
  const std::string threads = "/proc/" + process + "/task/";
  DIR *entries = opendir(threads.c_str());
  if (!entries)
    return;
  while (const dirent *entry = readdir(entries))
    if (entry->d_name[0] != '.')
      f(threads + entry->d_name);
  closedir(entries);
}

// The resident bytes of a thread's process; nothing if the thread has ended.
// Not from statm, which is shorter to read: with it a fork bomb was not ended.
std::optional<std::size_t> resident_bytes(const std::string &thread) {
  static const std::size_t page = sysconf(_SC_PAGESIZE);
  std::string line;
  std::getline(std::ifstream(thread + "/stat"), line);
  // The name, in parentheses, may hold anything: the fields begin after the last ')'.
  const std::size_t name_end = line.rfind(')');
  char state;
  long pages = 0;
  if (name_end == line.npos ||
      std::sscanf(line.c_str() + name_end + 1,
                  " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d "
                  "%*u %*u %ld",
                  &state, &pages) != 2 ||
      state == 'Z' || state == 'X')
    return std::nullopt;
  return std::size_t(pages) * page;
}

void add_descendants(const std::string &parent, std::map<pid_t, std::size_t> &found) {
  for_each_thread(parent, [&](const std::string &thread) {
    std::ifstream children(thread + "/children");
    for (pid_t child; children >> child;) {
      std::optional<std::size_t> bytes;
      // Any thread: the first one may have ended before the others.
      for_each_thread(std::to_string(child), [&](const std::string &its) {
        if (!bytes)
          bytes = resident_bytes(its);
      });
      if (bytes && found.emplace(child, *bytes).second)
        add_descendants(std::to_string(child), found);
    }
  });
}

} // namespace

std::map<pid_t, std::size_t> descendants() {
  std::map<pid_t, std::size_t> found;
  add_descendants("self", found);
  return found;
}

bool lists_children() { return access("/proc/thread-self/children", R_OK) == 0; }

bool has_children() {
  pid_t reaped;
  while ((reaped = waitpid(-1, nullptr, WNOHANG)) > 0)
    ;
  return reaped == 0;
}

double longest_wait() {
  double longest = 0;
  for (const auto &its : descendants())
    for_each_thread(std::to_string(its.first), [&](const std::string &thread) {
      double ran = 0, waited = 0; // nanoseconds
      if (std::ifstream(thread + "/schedstat") >> ran >> waited)
        longest = std::max(longest, 1e-9 * waited);
    });
  return longest;
}

long threads_of(uid_t user) {
  long threads = 0;
  std::error_code ended;
  for (const auto &process : std::filesystem::directory_iterator("/proc", ended)) {
    struct stat folder; // has a link for each thread, and two more
    if (stat((process.path() / "task").c_str(), &folder) == 0 && folder.st_uid == user)
      threads += long(folder.st_nlink) - 2;
  }
  return threads;
}

std::size_t living_descendants() { return descendants().size(); }

void kill_descendants() {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now(); // a process stuck in a driver cannot be killed
  while (has_children() && Clock::now() - start < std::chrono::seconds(30)) {
    for (const auto &its : descendants())
      kill(its.first, SIGKILL);
    usleep(1000);
  }
}

long killed_for_memory() {
  std::ifstream file("/proc/vmstat");
  std::string name;
  for (long value; file >> name >> value;)
    if (name == "oom_kill")
      return value;
  return 0;
}

} // namespace course
