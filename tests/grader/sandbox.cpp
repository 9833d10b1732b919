#include "tests/grader/sandbox.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
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
#include <ctime>
#include <filesystem>
#include <map>
#include <set>
#include <stdexcept>

namespace course {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Process {
  pid_t parent;
  char state;
  long threads;
  std::size_t resident; // bytes
};

// All processes that /proc shows.
std::map<pid_t, Process> all_processes() {
  static const std::size_t page = sysconf(_SC_PAGESIZE);
  std::map<pid_t, Process> all;
  DIR *proc = opendir("/proc");
  if (!proc)
    return all;
  while (dirent *entry = readdir(proc)) {
    pid_t pid = std::atoi(entry->d_name);
    if (pid <= 0)
      continue;
    std::FILE *file = std::fopen(("/proc/" + std::string(entry->d_name) + "/stat").c_str(), "re");
    if (!file)
      continue;
    char line[1024] = "";
    std::size_t length = std::fread(line, 1, sizeof line - 1, file);
    std::fclose(file);
    line[length] = 0;
    // The name, in parentheses, may hold anything: the fields begin behind the last ')'.
    const char *fields = std::strrchr(line, ')');
    Process process{};
    long resident = 0;
    if (fields && std::sscanf(fields + 1,
                              " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d "
                              "%ld %*d %*u %*u %ld",
                              &process.state, &process.parent, &process.threads, &resident) == 4) {
      process.resident = std::size_t(resident) * page;
      all[pid] = process;
    }
  }
  closedir(proc);
  return all;
}

// The living descendants of this process.
std::map<pid_t, Process> descendants() {
  auto all = all_processes();
  std::map<pid_t, Process> found;
  std::set<pid_t> family{getpid()};
  for (bool grown = true; grown;) {
    grown = false;
    for (auto &[pid, process] : all)
      if (family.count(process.parent) && family.insert(pid).second) {
        grown = true;
        if (process.state != 'Z' && process.state != 'X')
          found[pid] = process;
      }
  }
  return found;
}

volatile std::sig_atomic_t interrupted = 0;

// Where private folders are made, and how their names begin.
std::string temporary_folder() {
  const char *base = std::getenv("TMPDIR");
  return base && *base ? base : "/tmp";
}
constexpr char folder_prefix[] = "/course-";

void limit(decltype(RLIMIT_CORE) what, rlim_t value) {
  rlimit now;
  getrlimit(what, &now);
  now.rlim_cur = now.rlim_max = std::min(value, now.rlim_max);
  setrlimit(what, &now);
}

// Threads that the current user has now; RLIMIT_NPROC counts them all.
rlim_t threads_of_user() {
  rlim_t threads = 0;
  for (auto &[pid, process] : all_processes()) {
    struct stat owner;
    if (stat(("/proc/" + std::to_string(pid)).c_str(), &owner) == 0 && owner.st_uid == getuid())
      threads += process.threads;
  }
  return threads;
}

[[noreturn]] void cannot(const char *what) {
  dprintf(2, "the grader cannot start the program: %s: %s\n", what, std::strerror(errno));
  _exit(127);
}

// In the child: gives up all rights and becomes the program. `user`: whom a root becomes.
[[noreturn]] void become(int program, char **arguments, char **environment,
                         const std::string &folder, const Limits &limits, uid_t user) {
  const bool root = geteuid() == 0;
  const rlim_t others = root ? 0 : threads_of_user();
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (int number = 1; number < NSIG; ++number)
    std::signal(number, SIG_DFL);
  if (chdir(folder.c_str()))
    cannot("its folder");
  if (root && (setgroups(0, nullptr) || setresgid(user, user, user) || setresuid(user, user, user)))
    cannot("as an ordinary user");
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, limits.file);
  // A pool has a thread a core and a driver some more; the watcher counts the processes.
  limit(RLIMIT_NPROC, others + 192 + 2 * sysconf(_SC_NPROCESSORS_ONLN));
  fexecve(program, arguments, environment);
  cannot("exec");
}

std::string printable(std::string text) {
  constexpr std::size_t shown = 4000;
  if (text.size() > shown)
    text = "... " + text.substr(text.size() - shown);
  for (char &c : text)
    if ((static_cast<unsigned char>(c) < 32 && c != '\n' && c != '\t') || c == 127)
      c = '?';
  return text;
}

// Watches the child until it has ended or met a limit, then ends all that is left of it.
Outcome watch(pid_t child, int pipe, const Limits &limits) {
  Outcome outcome;
  const auto start = Clock::now();
  std::string text;
  std::size_t written = 0;
  auto read_output = [&] {
    char buffer[65536];
    ssize_t n;
    while ((n = read(pipe, buffer, sizeof buffer)) > 0) {
      written += n;
      text.append(buffer, n);
      if (text.size() > 1 << 17)
        text.erase(0, text.size() - (1 << 16));
      if (written > limits.output)
        return true;
    }
    return n < 0 && errno == EAGAIN;
  };
  bool open = true;
  for (double looked = -1;;) {
    pollfd ready{pipe, POLLIN, 0};
    poll(&ready, open ? 1 : 0, 2);
    if (open)
      open = read_output();
    int status;
    if (waitpid(child, &status, WNOHANG) == child) {
      outcome.end = WIFSIGNALED(status) ? End::signalled : End::finished;
      outcome.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
      outcome.left_behind = !descendants().empty();
      if (open)
        read_output();
      break;
    }
    if (written > limits.output) {
      outcome.end = End::output;
      break;
    }
    const double now = seconds_since(start);
    if (now > limits.seconds || interrupted) {
      outcome.end = End::time;
      break;
    }
    if (now - looked < 0.01)
      continue;
    looked = now;
    auto family = descendants();
    std::size_t resident = 0;
    for (auto &[pid, process] : family)
      resident += process.resident;
    if (int(family.size()) > limits.processes) {
      outcome.end = End::processes;
      break;
    }
    if (resident > limits.memory) {
      outcome.end = End::memory;
      break;
    }
  }
  kill_descendants();
  outcome.output = printable(text);
  return outcome;
}

void write_all(int file, const void *data, std::size_t size) {
  for (auto at = static_cast<const char *>(data); size;) {
    ssize_t n = write(file, at, size);
    if (n <= 0)
      return;
    at += n;
    size -= n;
  }
}

bool read_all(int file, void *data, std::size_t size) {
  for (auto at = static_cast<char *>(data); size;) {
    ssize_t n = read(file, at, size);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    at += n;
    size -= n;
  }
  return true;
}

[[noreturn]] void watcher_main(int program, char **arguments, char **environment,
                               const std::string &folder, const Limits &limits, int result) {
  prctl(PR_SET_CHILD_SUBREAPER, 1); // daemons become our children, not init's
  prctl(PR_SET_DUMPABLE, 0);        // nobody reads or writes our memory
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  for (int number : {SIGINT, SIGTERM, SIGHUP})
    std::signal(number, [](int) { interrupted = 1; });
  // A user of its own, so that limits count this run alone: above the ranges that containers take
  // from /etc/subuid, and below 2^31. Nobody where few users are mapped.
  uid_t user = 2'100'000'000 + getpid();
  if (geteuid() == 0 && chown(folder.c_str(), user, -1)) {
    user = 65534;
    if (chown(folder.c_str(), user, -1))
      _exit(1);
  }
  int out[2];
  if (pipe2(out, O_CLOEXEC))
    _exit(1);
  pid_t child = fork();
  if (child < 0)
    _exit(1);
  if (child == 0) {
    int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, 0);
    dup2(out[1], 1);
    dup2(out[1], 2);
    become(program, arguments, environment, folder, limits, user);
  }
  close(out[1]);
  fcntl(out[0], F_SETFL, O_NONBLOCK);
  Outcome outcome = watch(child, out[0], limits);
  std::size_t size = outcome.output.size();
  write_all(result, &outcome.end, sizeof outcome.end);
  write_all(result, &outcome.code, sizeof outcome.code);
  write_all(result, &outcome.left_behind, sizeof outcome.left_behind);
  write_all(result, &size, sizeof size);
  write_all(result, outcome.output.data(), size);
  _exit(0);
}

} // namespace

// A lock on the folder tells the living from the dead: the kernel drops it with the process.
PrivateFolder::PrivateFolder() {
  path_ = temporary_folder() + folder_prefix + "XXXXXX";
  if (!mkdtemp(path_.data()))
    throw std::runtime_error("cannot make a folder " + path_ + ": " + std::strerror(errno) +
                             "\nTMPDIR names the folder to make it in");
  lock_ = open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  flock(lock_, LOCK_EX | LOCK_NB);
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  if (lock_ >= 0)
    close(lock_);
}

void PrivateFolder::sweep() {
  std::error_code ignored;
  for (const auto &entry : std::filesystem::directory_iterator(temporary_folder(), ignored)) {
    if (entry.path().filename().string().rfind(folder_prefix + 1, 0) != 0)
      continue;
    const int folder = open(entry.path().c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat status;
    if (folder >= 0 && fstat(folder, &status) == 0 && status.st_uid == geteuid() &&
        status.st_mtime < std::time(nullptr) - 60 && // a younger one may not have its lock yet
        flock(folder, LOCK_EX | LOCK_NB) == 0)
      std::filesystem::remove_all(entry.path(), ignored);
    if (folder >= 0)
      close(folder);
  }
}

Sandbox::Sandbox(const std::string &program, const std::vector<std::string> &arguments,
                 const std::vector<std::pair<std::string, std::string>> &environment,
                 const PrivateFolder &folder, const Limits &limits) {
  std::vector<std::string> texts{program}, variables;
  texts.insert(texts.end(), arguments.begin(), arguments.end());
  for (auto &[name, value] : environment)
    variables.push_back(name + "=" + value);
  auto pointers = [](std::vector<std::string> &strings) {
    std::vector<char *> result;
    for (auto &s : strings)
      result.push_back(s.data());
    result.push_back(nullptr);
    return result;
  };
  auto argv = pointers(texts), envp = pointers(variables);
  int file = open(program.c_str(), O_RDONLY | O_CLOEXEC);
  int result[2];
  if (file < 0)
    throw std::runtime_error("cannot open " + program + ": " + std::strerror(errno));
  if (pipe2(result, O_CLOEXEC))
    throw std::runtime_error(std::string("cannot make a pipe: ") + std::strerror(errno));
  std::fflush(nullptr);
  watcher_ = fork();
  if (watcher_ < 0)
    throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
  if (watcher_ == 0)
    watcher_main(file, argv.data(), envp.data(), folder.path(), limits, result[1]);
  close(file);
  close(result[1]);
  result_ = result[0];
}

Outcome Sandbox::wait() {
  Outcome outcome;
  std::size_t size = 0;
  bool complete = read_all(result_, &outcome.end, sizeof outcome.end) &&
                  read_all(result_, &outcome.code, sizeof outcome.code) &&
                  read_all(result_, &outcome.left_behind, sizeof outcome.left_behind) &&
                  read_all(result_, &size, sizeof size);
  outcome.output.resize(size);
  complete = complete && read_all(result_, outcome.output.data(), size);
  close(result_);
  waitpid(watcher_, nullptr, 0);
  if (!complete) {
    kill_descendants(); // what the dead watcher left is ours now
    outcome.end = End::lost;
  }
  return outcome;
}

std::size_t living_descendants() { return descendants().size(); }

void kill_descendants() {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const auto start = Clock::now();
  while (seconds_since(start) < 30) { // a process stuck in a driver cannot be killed
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
