#include "common/grader/sandbox/sandbox.hpp"

#include "common/grader/sandbox/processes.hpp"
#include "common/grader/sandbox/text.hpp"

#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
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
#include <fstream>
#include <iterator>
#include <optional>

namespace course {
namespace {

namespace fs = std::filesystem;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// SYS_close_range and CLOSE_RANGE_CLOEXEC, which older system headers lack.
constexpr long close_range_number = 436;
constexpr unsigned close_range_on_exec = 4;

std::string temporary_folder() {
  const char *base = std::getenv("TMPDIR");
  return base && *base ? base : "/tmp";
}
constexpr char folder_prefix[] = "/cuda-course-grader-";

// A folder can only be removed if its owner may read and write it.
void open_folders(const fs::path &folder) {
  std::error_code ignored;
  fs::permissions(folder, fs::perms::owner_all, fs::perm_options::add, ignored);
  for (const auto &entry : fs::directory_iterator(folder, ignored))
    if (entry.symlink_status(ignored).type() == fs::file_type::directory)
      open_folders(entry.path());
}

void remove_folder(const fs::path &folder) {
  std::error_code error;
  fs::remove_all(folder, error);
  if (!error)
    return;
  open_folders(folder);
  fs::remove_all(folder, error);
}

using Resource = decltype(RLIMIT_CORE);

void limit(Resource what, rlim_t value) {
  rlimit now;
  getrlimit(what, &now);
  now.rlim_cur = now.rlim_max = std::min(value, now.rlim_max);
  setrlimit(what, &now);
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

const int ends[] = {SIGINT, SIGTERM, SIGHUP}; // signals that ask to end

sigset_t set_of_ends() {
  sigset_t set;
  sigemptyset(&set);
  for (int number : ends)
    sigaddset(&set, number);
  return set;
}

// True if a terminal, the parent (whose death the kernel reports in the parent's name) or another
// process outside wants the watcher to end. Signals of the watched processes do not count, nor does
// sigqueue(), which can name any sender.
bool is_interrupted(pid_t parent) {
  const sigset_t set = set_of_ends();
  const timespec at_once{};
  siginfo_t info;
  while (sigtimedwait(&set, &info, &at_once) > 0)
    if (info.si_code == SI_KERNEL ||
        (info.si_code == SI_USER &&
         (info.si_pid == 0 || info.si_pid == parent || is_outside(info.si_pid))))
      return true;
  return false;
}

// A program to be watched.
struct Program {
  int file; // the program, open
  char **arguments, **environment;
  std::string folder;
  Limits limits;
  Access access;
};

// Says why a program cannot be started, on a pipe that the program itself never has.
[[noreturn]] void cannot(int failure, const std::string &what) {
  const std::string text = what + ": " + std::strerror(errno);
  write_all(failure, text.data(), text.size());
  _exit(127);
}

// In the child: gives up all rights and becomes the program. `user`: whom a root becomes.
[[noreturn]] void become(const Program &program, uid_t user, int failure) {
  const Limits &limits = program.limits;
  const bool changes_user = geteuid() == 0 && limits.own_user;
  setsid();
  const sigset_t blocked = set_of_ends();
  sigprocmask(SIG_UNBLOCK, &blocked, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (int number = 1; number < NSIG; ++number)
    std::signal(number, SIG_DFL);
  if (chdir(program.folder.c_str()))
    cannot(failure, program.folder);
  leave_network();
  // A pool has a thread per core, a driver some more, and a cooperative launch one per block; the
  // watcher counts the processes.
  const rlim_t others = changes_user ? 0 : threads_of_user();
  const rlim_t threads = 2 * sysconf(_SC_NPROCESSORS_ONLN);
  rlimit allowed;
  getrlimit(RLIMIT_NPROC, &allowed);
  if (allowed.rlim_max < others + 64 + threads) {
    errno = EAGAIN;
    cannot(failure, "only " + std::to_string(allowed.rlim_max) +
                        " processes and threads are allowed (ulimit -u), and " +
                        std::to_string(others) + " are running");
  }
  if (changes_user &&
      (setgroups(0, nullptr) || setresgid(user, user, user) || setresuid(user, user, user)))
    cannot(failure, "as an ordinary user");
  prctl(PR_SET_PDEATHSIG, SIGKILL); // which a change of the user clears
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (!confine(program.access, program.folder))
    cannot(failure, "Landlock");
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, limits.file);
  // Other processes that this user starts meanwhile count as well.
  limit(RLIMIT_NPROC, (changes_user ? 1200 : 2 * others + 4096) + threads);
  // Whatever else is open here is none of the program's.
  if (syscall(close_range_number, 3u, ~0u, close_range_on_exec))
    for (int file = 3; file < 1024; ++file)
      fcntl(file, F_SETFD, FD_CLOEXEC);
  fexecve(program.file, program.arguments, program.environment);
  cannot(failure, "exec");
}

// Watches the child until it has ended or met a limit, then ends all that is left of it.
Outcome watch(pid_t child, int pipe, int failure, const Limits &limits, pid_t parent) {
  Outcome outcome;
  bool interrupted = false;
  const auto start = Clock::now();
  constexpr std::size_t part = 1 << 15; // bytes that are kept from the beginning, and from the end
  std::string text, end;
  std::size_t written = 0;
  auto read_output = [&] {
    char buffer[65536];
    ssize_t n;
    while ((n = read(pipe, buffer, sizeof buffer)) > 0) {
      written += n;
      const std::size_t to_text = std::min(std::size_t(n), part - text.size());
      text.append(buffer, to_text);
      end.append(buffer + to_text, n - to_text);
      if (end.size() > 4 * part)
        end.erase(0, end.size() - part);
      if (written > limits.output)
        return true;
    }
    return n < 0 && errno == EAGAIN;
  };
  // The limit that all its processes together exceed.
  const auto exceeded = [&limits]() -> std::optional<End> {
    const auto family = listed_descendants();
    if (int(family.size()) > limits.processes)
      return End::processes;
    std::size_t resident = unnamed_files(family);
    for (auto &[pid, process] : family)
      resident += process.resident;
    if (resident > limits.memory)
      return End::memory;
    return std::nullopt;
  };
  // Without the time for which a thread waited for a processor, as beside other programs; but at
  // least a sixth of what has passed.
  double waited = 0, asked = 0;
  const auto seconds_used = [&] {
    const double now = seconds_since(start);
    if (now - asked > 0.1) {
      asked = now;
      waited = std::max(waited, longest_wait(listed_descendants()));
    }
    return std::max(now - waited, now / 6);
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
      char why[1024];
      if (const ssize_t n = read(failure, why, sizeof why); n > 0) {
        outcome.end = End::not_started;
        text.assign(why, n);
      }
      break;
    }
    if (written > limits.output) {
      outcome.end = End::output;
      break;
    }
    interrupted = is_interrupted(parent);
    if (interrupted || seconds_used() > limits.seconds) {
      outcome.end = interrupted ? End::interrupted : End::time;
      // The CPU backend then says which kernel runs, and ends.
      for (auto &[pid, process] : descendants())
        kill(pid, SIGTERM);
      while (!interrupted && !descendants().empty() && !exceeded() &&
             seconds_used() < limits.seconds + 2) {
        usleep(10'000);
        read_output();
        interrupted = is_interrupted(parent);
      }
      break;
    }
    const double now = seconds_since(start);
    if (now - looked < limits.look)
      continue;
    looked = now;
    if (const auto end_of_limit = exceeded()) {
      outcome.end = *end_of_limit;
      break;
    }
  }
  outcome.seconds = seconds_used();
  kill_descendants();
  if (end.size() > part) {
    text += "\n... " + std::to_string(written - 2 * part) + " bytes left out ...\n";
    end.erase(0, end.size() - part);
  }
  outcome.output = text + end;
  return outcome;
}

void send(int result, const Outcome &outcome) {
  const std::size_t size = outcome.output.size();
  write_all(result, &outcome.end, sizeof outcome.end);
  write_all(result, &outcome.code, sizeof outcome.code);
  write_all(result, &outcome.seconds, sizeof outcome.seconds);
  write_all(result, &outcome.left_behind, sizeof outcome.left_behind);
  write_all(result, &size, sizeof size);
  write_all(result, outcome.output.data(), size);
}

Outcome start_and_watch(const Program &program, pid_t parent) {
  const auto failed = [](const std::string &what) {
    Outcome outcome;
    outcome.end = End::not_started;
    outcome.output = what + ": " + std::strerror(errno);
    return outcome;
  };
  // A user of its own, so that limits count this run alone: above the ranges that containers take
  // from /etc/subuid, and below 2^31. Nobody where few users are mapped.
  uid_t user = 2'100'000'000 + getpid();
  if (geteuid() == 0 && program.limits.own_user && chown(program.folder.c_str(), user, -1)) {
    user = 65534;
    if (chown(program.folder.c_str(), user, -1))
      return failed("chown " + program.folder);
  }
  int out[2], failure[2];
  if (pipe2(out, O_CLOEXEC) || pipe2(failure, O_CLOEXEC | O_NONBLOCK))
    return failed("pipe");
  const pid_t child = fork();
  if (child < 0)
    return failed("fork");
  if (child == 0) {
    int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, 0);
    dup2(out[1], 1);
    dup2(out[1], 2);
    become(program, user, failure[1]);
  }
  close(out[1]);
  close(failure[1]);
  fcntl(out[0], F_SETFL, O_NONBLOCK);
  return watch(child, out[0], failure[0], program.limits, parent);
}

[[noreturn]] void watcher_main(const Program &program, int result, pid_t parent) {
  prctl(PR_SET_CHILD_SUBREAPER, 1); // daemons become our children, not init's
  prctl(PR_SET_DUMPABLE, 0);        // nobody reads or writes our memory
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  send(result, start_and_watch(program, parent));
  _exit(0);
}

} // namespace

void raise_limits() {
  for (const Resource what : {RLIMIT_AS, RLIMIT_DATA, RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_NPROC}) {
    rlimit now;
    if (getrlimit(what, &now) == 0) {
      now.rlim_cur = now.rlim_max;
      setrlimit(what, &now);
    }
  }
}

// Addresses cost more than memory: pages that guard arrays, and the stack and the heap of a thread.
std::string tight_limit() {
  const Limits usual;
  const rlim_t addresses = 4 * usual.memory + (rlim_t(128) << 20) * sysconf(_SC_NPROCESSORS_ONLN);
  const struct {
    Resource what;
    const char *name, *option, *unit;
    rlim_t needed;
    int shift; // from its unit to the one that is printed
  } all[] = {{RLIMIT_AS, "virtual memory", "-v", "MiB", addresses, 20},
             {RLIMIT_DATA, "data segment", "-d", "MiB", addresses, 20},
             {RLIMIT_FSIZE, "files", "-f", "MiB", usual.file, 20},
             {RLIMIT_CPU, "processor time", "-t", "s", 60, 0}};
  for (const auto &[what, name, option, unit, needed, shift] : all) {
    rlimit now;
    if (getrlimit(what, &now) || now.rlim_max >= needed)
      continue;
    const auto text = [&, &unit = unit, &shift = shift](rlim_t value) {
      return std::to_string(value >> shift) + " " + unit;
    };
    return std::string("this machine limits the ") + name + " of a process to " +
           text(now.rlim_max) + " (ulimit " + option + "), but a right answer may need " +
           text(needed) + ". Raise the limit, or check the file elsewhere, as in a batch job. " +
           "With this limit:";
  }
  return "";
}

std::string text_of_file(const std::filesystem::path &path) {
  std::ifstream file(path);
  if (!file)
    throw MachineFault("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

// A lock on the folder tells the living from the dead: the kernel drops it with the process.
PrivateFolder::PrivateFolder() {
  path_ = temporary_folder() + folder_prefix + "XXXXXX";
  if (!mkdtemp(path_.data()))
    throw MachineFault("cannot create the folder " + path_ + ": " + std::strerror(errno) +
                       "\nTo use another place, set TMPDIR");
  lock_ = open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  flock(lock_, LOCK_EX | LOCK_NB);
}

PrivateFolder::~PrivateFolder() {
  remove_folder(path_);
  if (lock_ >= 0)
    close(lock_);
}

void PrivateFolder::sweep() {
  std::error_code ignored;
  for (const auto &entry : fs::directory_iterator(temporary_folder(), ignored)) {
    if (entry.path().filename().string().rfind(folder_prefix + 1, 0) != 0)
      continue;
    struct stat status;
    if (lstat(entry.path().c_str(), &status) || !S_ISDIR(status.st_mode) ||
        status.st_uid != geteuid() ||
        status.st_mtime > std::time(nullptr) - 60) // may not have its lock yet
      continue;
    if ((status.st_mode & S_IRWXU) != S_IRWXU)
      chmod(entry.path().c_str(), S_IRWXU);
    const int folder = open(entry.path().c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0 && flock(folder, LOCK_EX | LOCK_NB) == 0)
      remove_folder(entry.path());
    if (folder >= 0)
      close(folder);
  }
}

Sandbox::Sandbox(const std::string &program, const std::vector<std::string> &arguments,
                 const std::vector<std::pair<std::string, std::string>> &environment,
                 const PrivateFolder &folder, const Limits &limits, Access access) {
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
  access.readable.push_back(program);
  can_leave_network(); // tried once, and looked up once, not by each child
  find_software(access);
  int file = open(program.c_str(), O_RDONLY | O_CLOEXEC);
  int result[2];
  if (file < 0)
    throw MachineFault("cannot open " + program + ": " + std::strerror(errno));
  if (pipe2(result, O_CLOEXEC))
    throw MachineFault(std::string("cannot make a pipe: ") + std::strerror(errno));
  std::fflush(nullptr);
  const pid_t self = getpid();
  const sigset_t blocked = set_of_ends();
  sigset_t before;
  sigprocmask(SIG_BLOCK, &blocked, &before); // the watcher asks for them
  watcher_ = fork();
  if (watcher_ != 0)
    sigprocmask(SIG_SETMASK, &before, nullptr);
  if (watcher_ < 0)
    throw MachineFault(std::string("cannot start a process: ") + std::strerror(errno) +
                       "\nulimit -u shows the number of processes that are allowed");
  if (watcher_ == 0)
    watcher_main({file, argv.data(), envp.data(), folder.path(), limits, access}, result[1], self);
  close(file);
  close(result[1]);
  result_ = result[0];
}

Sandbox::~Sandbox() {
  if (result_ >= 0)
    close(result_);
}

Outcome Sandbox::wait() {
  Outcome outcome;
  std::size_t size = 0;
  bool complete = read_all(result_, &outcome.end, sizeof outcome.end) &&
                  read_all(result_, &outcome.code, sizeof outcome.code) &&
                  read_all(result_, &outcome.seconds, sizeof outcome.seconds) &&
                  read_all(result_, &outcome.left_behind, sizeof outcome.left_behind) &&
                  read_all(result_, &size, sizeof size);
  outcome.output.resize(size);
  complete = complete && read_all(result_, outcome.output.data(), size);
  close(std::exchange(result_, -1));
  waitpid(watcher_, nullptr, 0);
  outcome.output = printable(outcome.output);
  if (!complete) {
    kill_descendants(); // the dead watcher's processes are ours now
    outcome.end = End::lost;
  }
  return outcome;
}

} // namespace course
