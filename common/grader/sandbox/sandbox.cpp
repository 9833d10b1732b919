#include "common/grader/sandbox/sandbox.hpp"

#include "common/grader/sandbox/processes.hpp"
#include "common/grader/sandbox/text.hpp"

#include <fcntl.h>
#include <grp.h>
#include <poll.h>
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

std::string rest_of(int file) {
  std::string text;
  char buffer[1 << 16];
  for (ssize_t n; (n = read(file, buffer, sizeof buffer)) > 0;)
    text.append(buffer, n);
  return text;
}

// Set in a watcher by a signal: somebody wants it to end, or its parent has ended.
volatile std::sig_atomic_t interrupted = 0;

constexpr uid_t nobody = 65534; // also where few users are mapped, as in a container

bool becomes_nobody(const Limits &limits) { return geteuid() == 0 && limits.own_user; }

// Ends a fork bomb between two looks. A pool has a thread per core, a driver some more, and a
// cooperative launch one per block; threads that this user starts meanwhile count as well.
rlim_t most_threads() {
  static const rlim_t most = 2 * threads_of(geteuid() == 0 ? nobody : geteuid()) + 1200 +
                             2 * sysconf(_SC_NPROCESSORS_ONLN);
  return most;
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

// In the child: gives up all rights and becomes the program.
[[noreturn]] void become(const Program &program, int failure) {
  const Limits &limits = program.limits;
  const bool changes_user = becomes_nobody(limits);
  setsid();
  for (int number = 1; number < NSIG; ++number)
    std::signal(number, SIG_DFL);
  if (chdir(program.folder.c_str()))
    cannot(failure, program.folder);
  leave_network();
  if (changes_user && (setgroups(0, nullptr) || setresgid(nobody, nobody, nobody) ||
                       setresuid(nobody, nobody, nobody)))
    cannot(failure, "as an ordinary user");
  prctl(PR_SET_PDEATHSIG, SIGKILL); // after the change of the user, which clears it
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (!confine(program.access, program.folder))
    cannot(failure, "Landlock");
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, limits.file);
  limit(RLIMIT_NPROC, most_threads());
  // What a careless library or a shell has left open here is not the program's.
  syscall(close_range_number, 3u, ~0u, close_range_on_exec);
  fexecve(program.file, program.arguments, program.environment);
  cannot(failure, "exec");
}

// What a program prints; of much output the beginning and the end are kept.
class Output {
public:
  explicit Output(int pipe) : pipe_(pipe) { fcntl(pipe, F_SETFL, O_NONBLOCK); }

  // Reads what is printed until the program has printed or `milliseconds` have passed.
  void read_for(int milliseconds) {
    pollfd ready{open_ ? pipe_ : -1, POLLIN, 0};
    poll(&ready, 1, milliseconds);
    read_more();
  }

  std::size_t size() const { return size_; }

  std::string text() const {
    if (end_.size() <= part)
      return beginning_ + end_;
    return beginning_ + "\n... " + std::to_string(size_ - 2 * part) + " bytes left out ...\n" +
           end_.substr(end_.size() - part);
  }

private:
  void read_more() {
    char buffer[1 << 16];
    const ssize_t n = open_ ? read(pipe_, buffer, sizeof buffer) : 0;
    open_ = n > 0 || (n < 0 && errno == EAGAIN);
    if (n <= 0)
      return;
    size_ += n;
    const std::size_t to_beginning = std::min(std::size_t(n), part - beginning_.size());
    beginning_.append(buffer, to_beginning);
    end_.append(buffer + to_beginning, n - to_beginning);
    if (end_.size() > 4 * part)
      end_.erase(0, end_.size() - part);
  }

  static constexpr std::size_t part = 1 << 15; // bytes kept of the beginning, and of the end
  int pipe_;
  bool open_ = true;
  std::size_t size_ = 0;
  std::string beginning_, end_;
};

// Watches a child until it has ended or met a limit, then ends all that is left of it.
class Watch {
public:
  Watch(pid_t child, int output, int failure, const Limits &limits)
      : child_(child), failure_(failure), limits_(limits), output_(output) {}

  Outcome outcome() {
    std::optional<End> limit;
    while (!has_ended() && !(limit = met_limit()))
      output_.read_for(2);
    if (limit)
      outcome_.end = *limit;
    if (outcome_.end == End::time)
      let_it_report();
    outcome_.seconds = seconds_used();
    kill_descendants();
    output_.read_for(0);
    if (outcome_.end != End::not_started)
      outcome_.output = output_.text();
    return outcome_;
  }

private:
  bool has_ended() {
    int status;
    if (waitpid(child_, &status, WNOHANG) != child_)
      return false;
    outcome_.end = WIFSIGNALED(status) ? End::signalled : End::finished;
    outcome_.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    outcome_.left_behind = has_children(); // whose parents have ended
    char why[1024];
    if (const ssize_t n = read(failure_, why, sizeof why); n > 0) {
      outcome_.end = End::not_started;
      outcome_.output.assign(why, n);
    }
    return true;
  }

  std::optional<End> met_limit() {
    if (interrupted)
      return End::interrupted;
    if (output_.size() > limits_.output)
      return End::output;
    if (seconds_used() > limits_.seconds)
      return End::time;
    return exceeded();
  }

  // The limit that all its processes together exceed, looked at every 20 milliseconds.
  std::optional<End> exceeded() {
    if (seconds_since(looked_) < 0.02)
      return std::nullopt;
    looked_ = Clock::now();
    const auto processes = descendants();
    std::size_t resident = 0;
    for (const auto &its : processes)
      resident += its.second;
    if (int(processes.size()) > limits_.processes)
      return End::processes;
    if (resident > limits_.memory)
      return End::memory;
    return std::nullopt;
  }

  // After a SIGTERM the CPU backend reports which kernel runs, and ends.
  void let_it_report() {
    for (const auto &its : descendants())
      kill(its.first, SIGTERM);
    while (has_children() && !interrupted && !exceeded() && seconds_used() < limits_.seconds + 2)
      output_.read_for(10);
  }

  // Without the time for which a thread waited for a processor, as beside other programs; but at
  // least a sixth of what has passed.
  double seconds_used() {
    const double now = seconds_since(start_);
    if (now - asked_ > 0.1) {
      asked_ = now;
      waited_ = std::max(waited_, longest_wait());
    }
    return std::max(now - waited_, now / 6);
  }

  const pid_t child_;
  const int failure_;
  const Limits limits_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point looked_{};
  double asked_ = 0, waited_ = 0;
  Output output_;
  Outcome outcome_;
};

Outcome start_and_watch(const Program &program) {
  const auto failed = [](const std::string &what) {
    Outcome outcome;
    outcome.end = End::not_started;
    outcome.output = what + ": " + std::strerror(errno);
    return outcome;
  };
  if (becomes_nobody(program.limits) && chown(program.folder.c_str(), nobody, -1))
    return failed("chown " + program.folder);
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
    become(program, failure[1]);
  }
  close(out[1]);
  close(failure[1]);
  return Watch(child, out[0], failure[0], program.limits).outcome();
}

[[noreturn]] void watcher_main(const Program &program, int result) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP})
    std::signal(number, [](int) { interrupted = 1; });
  prctl(PR_SET_CHILD_SUBREAPER, 1); // daemons become our children, not init's
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  const Outcome outcome = start_and_watch(program);
  write_all(result, static_cast<const Ending *>(&outcome), sizeof(Ending));
  write_all(result, outcome.output.data(), outcome.output.size());
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
  const rlim_t threads = 256 + 2 * sysconf(_SC_NPROCESSORS_ONLN); // a pool has one per core
  const struct {
    Resource what;
    const char *name, *option, *unit;
    rlim_t needed;
    int shift; // from its unit to the one that is printed
  } all[] = {{RLIMIT_AS, "the virtual memory of a process", "-v", "MiB", addresses, 20},
             {RLIMIT_DATA, "the data segment of a process", "-d", "MiB", addresses, 20},
             {RLIMIT_FSIZE, "the files of a process", "-f", "MiB", usual.file, 20},
             {RLIMIT_CPU, "the processor time of a process", "-t", "s", 60, 0},
             {RLIMIT_NPROC, "a user", "-u", "threads", threads, 0}};
  for (const auto &[what, name, option, unit, needed, shift] : all) {
    rlimit now;
    if (getrlimit(what, &now) || now.rlim_max >= needed)
      continue;
    const auto text = [&, &unit = unit, &shift = shift](rlim_t value) {
      return std::to_string(value >> shift) + " " + unit;
    };
    return std::string("this machine limits ") + name + " to " + text(now.rlim_max) + " (ulimit " +
           option + "), but a right answer may need " + text(needed) +
           ". Raise the limit, or check the file elsewhere, as in a batch job. " +
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

PrivateFolder::PrivateFolder() {
  const char *const base = std::getenv("TMPDIR");
  path_ = std::string(base && *base ? base : "/tmp") + "/cuda-course-grader-XXXXXX";
  if (!mkdtemp(path_.data()))
    throw MachineFault("cannot create the folder " + path_ + ": " + std::strerror(errno) +
                       "\nTo use another place, set TMPDIR");
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
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
  killed_before_ = killed_for_memory();
  access.readable.push_back(program);
  can_leave_network(); // tried once, and looked up once, not by each child
  most_threads();
  find_software(access);
  if (!lists_children())
    throw MachineFault("a program cannot be watched here: this kernel does not list the children "
                       "of a process (/proc/thread-self/children)");
  int file = open(program.c_str(), O_RDONLY | O_CLOEXEC);
  int result[2];
  if (file < 0)
    throw MachineFault("cannot open " + program + ": " + std::strerror(errno));
  if (pipe2(result, O_CLOEXEC))
    throw MachineFault(std::string("cannot make a pipe: ") + std::strerror(errno));
  std::fflush(nullptr);
  watcher_ = fork();
  if (watcher_ < 0)
    throw MachineFault(std::string("cannot start a process: ") + std::strerror(errno) +
                       "\nulimit -u shows the number of processes that are allowed");
  if (watcher_ == 0)
    watcher_main({file, argv.data(), envp.data(), folder.path(), limits, access}, result[1]);
  close(file);
  close(result[1]);
  result_ = result[0];
}

Sandbox::~Sandbox() {
  if (result_ >= 0)
    close(result_);
}

Outcome Sandbox::wait() {
  const std::string said = rest_of(result_);
  close(std::exchange(result_, -1));
  waitpid(watcher_, nullptr, 0);
  Outcome outcome;
  if (said.size() >= sizeof(Ending)) {
    std::memcpy(static_cast<Ending *>(&outcome), said.data(), sizeof(Ending));
    outcome.output = printable(said.substr(sizeof(Ending)));
  } else {
    kill_descendants(); // the dead watcher's processes are ours now
  }
  const bool has_failed = outcome.end == End::signalled || outcome.end == End::lost ||
                          (outcome.end == End::finished && outcome.code != 0);
  if (has_failed && killed_for_memory() > killed_before_)
    outcome.end = End::memory_is_full;
  return outcome;
}

} // namespace course
