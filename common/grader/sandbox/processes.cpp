#include "common/grader/sandbox/processes.hpp"

#include "common/grader/sandbox/sandbox.hpp"

#include <dirent.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace course {
namespace {

// A process's entry in /proc; nothing if the process is gone.
std::optional<Process> process_of(const std::string &pid) {
  static const std::size_t page = sysconf(_SC_PAGESIZE);
  std::FILE *file = std::fopen(("/proc/" + pid + "/stat").c_str(), "re");
  if (!file)
    return std::nullopt;
  char line[1024] = "";
  std::size_t length = std::fread(line, 1, sizeof line - 1, file);
  std::fclose(file);
  line[length] = 0;
  // The name, in parentheses, may hold anything: the fields begin after the last ')'.
  const char *fields = std::strrchr(line, ')');
  Process process{};
  long resident = 0;
  if (!fields || std::sscanf(fields + 1,
                             " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d "
                             "%ld %*d %*u %*u %ld",
                             &process.state, &process.parent, &process.threads, &resident) != 4)
    return std::nullopt;
  process.resident = std::size_t(resident) * page;
  return process;
}

// Calls f(number, its text) for each entry of a folder that is a number.
template <class F> void for_each_number(const std::string &folder, const F &f) {
  DIR *entries = opendir(folder.c_str());
  if (!entries)
    return;
  while (dirent *entry = readdir(entries))
    if (const pid_t number = std::atoi(entry->d_name); number > 0)
      f(number, std::string(entry->d_name));
  closedir(entries);
}

// All processes that /proc shows.
std::map<pid_t, Process> all_processes() {
  std::map<pid_t, Process> all;
  for_each_number("/proc", [&](pid_t pid, const std::string &text) {
    if (const auto process = process_of(text))
      all[pid] = *process;
  });
  return all;
}

bool is_alive(const Process &process) { return process.state != 'Z' && process.state != 'X'; }

// Adds the descendants of a process that the kernel lists, where it has such lists.
void add_listed(const std::string &parent, std::map<pid_t, Process> &found) {
  const std::string tasks = "/proc/" + parent + "/task";
  for_each_number(tasks, [&](pid_t, const std::string &task) {
    std::ifstream children(tasks + "/" + task + "/children");
    for (pid_t child; children >> child;) {
      const std::string text = std::to_string(child);
      const auto process = process_of(text);
      if (process && is_alive(*process) && found.emplace(child, *process).second)
        add_listed(text, found);
    }
  });
}

// This process and its descendants.
std::set<pid_t> family_among(const std::map<pid_t, Process> &all) {
  std::set<pid_t> family{getpid()};
  for (bool grown = true; grown;) {
    grown = false;
    for (auto &[pid, process] : all)
      if (family.count(process.parent) && family.insert(pid).second)
        grown = true;
  }
  return family;
}

// Also a child that has ended and was not waited for. Without children there are no descendants.
bool has_children() {
  siginfo_t info;
  return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

} // namespace

std::map<pid_t, Process> descendants() {
  if (!has_children()) // which spares to read all of /proc
    return {};
  const auto all = all_processes();
  std::map<pid_t, Process> found;
  for (const pid_t pid : family_among(all))
    if (const auto process = all.find(pid);
        pid != getpid() && process != all.end() && is_alive(process->second))
      found.insert(*process);
  return found;
}

std::map<pid_t, Process> listed_descendants() {
  static const bool has_lists = access("/proc/thread-self/children", R_OK) == 0;
  if (!has_lists)
    return descendants();
  std::map<pid_t, Process> found;
  add_listed("self", found);
  return found;
}

bool is_outside(pid_t process) {
  const auto all = all_processes();
  return all.count(process) > 0 && family_among(all).count(process) == 0;
}

std::size_t unnamed_files(const std::map<pid_t, Process> &processes) {
  std::set<std::pair<dev_t, ino_t>> seen;
  std::size_t bytes = 0;
  for (auto &[pid, process] : processes) {
    const std::string folder = "/proc/" + std::to_string(pid) + "/fd";
    DIR *files = opendir(folder.c_str());
    if (!files)
      continue;
    while (dirent *entry = readdir(files)) {
      struct stat file;
      if (fstatat(dirfd(files), entry->d_name, &file, 0) == 0 && S_ISREG(file.st_mode) &&
          file.st_nlink == 0 && seen.emplace(file.st_dev, file.st_ino).second)
        bytes += std::size_t(file.st_blocks) * 512;
    }
    closedir(files);
  }
  return bytes;
}

double longest_wait(const std::map<pid_t, Process> &processes) {
  double longest = 0;
  for (auto &[pid, process] : processes) {
    const std::string tasks = "/proc/" + std::to_string(pid) + "/task";
    for_each_number(tasks, [&](pid_t, const std::string &task) {
      double ran = 0, waited = 0; // nanoseconds
      if (std::ifstream(tasks + "/" + task + "/schedstat") >> ran >> waited)
        longest = std::max(longest, 1e-9 * waited);
    });
  }
  return longest;
}

long threads_of_user() {
  long threads = 0;
  for (auto &[pid, process] : all_processes()) {
    struct stat owner;
    if (stat(("/proc/" + std::to_string(pid)).c_str(), &owner) == 0 && owner.st_uid == getuid())
      threads += process.threads;
  }
  return threads;
}

std::size_t living_descendants() { return descendants().size(); }

void kill_descendants() {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now(); // a process stuck in a driver cannot be killed
  while (Clock::now() - start < std::chrono::seconds(30)) {
    // Stopped first: a stopped process cannot fork while the others are killed.
    std::set<pid_t> stopped;
    for (bool grown = true; grown;) {
      grown = false;
      for (auto &[pid, process] : descendants())
        if (stopped.insert(pid).second && kill(pid, SIGSTOP) == 0)
          grown = true;
    }
    for (pid_t pid : stopped)
      kill(pid, SIGKILL);
    pid_t reaped;
    while ((reaped = waitpid(-1, nullptr, WNOHANG)) > 0)
      ;
    if (reaped < 0 && errno == ECHILD)
      return;
    usleep(1000);
  }
}

} // namespace course
