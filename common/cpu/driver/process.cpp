#include "process.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace course_cpu::nvcc {
namespace {

volatile sig_atomic_t received = 0; // the signal
volatile sig_atomic_t child = 0;    // the program that runs

extern "C" void on_signal(int signal) {
  received = signal;
  if (child > 0)
    kill(child, SIGTERM); // compilers then remove their own temporary files
}

// Starts a program; `out` and `err` are where its stdout and stderr go, -1: where ours do.
pid_t start(const Words &command, int out, int err) {
  std::vector<char *> arguments;
  for (const std::string &word : command)
    arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (out >= 0)
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  if (err >= 0)
    posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
    throw std::runtime_error("cannot run " + command[0] + ": " + std::strerror(error));
  return pid;
}

int wait_for(pid_t pid) {
  child = pid;
  if (received) // before `child` was set
    kill(pid, SIGTERM);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  child = 0;
  if (received)
    throw Interrupted{received};
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Runs a program and collects what it writes to stderr and, if asked, to stdout.
int run_and_read(const Words &command, bool both, std::string &text) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw std::runtime_error(std::string("no pipe: ") + std::strerror(errno));
  pid_t pid;
  try {
    pid = start(command, both ? ends[1] : -1, ends[1]);
  } catch (...) {
    close(ends[0]);
    close(ends[1]);
    throw;
  }
  close(ends[1]);
  child = pid;
  char buffer[4096];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) != 0;) {
    if (n > 0)
      text.append(buffer, static_cast<std::size_t>(n));
    else if (errno != EINTR || received) // what the compiler has started may hold the pipe open
      break;
  }
  close(ends[0]);
  return wait_for(pid);
}

} // namespace

void catch_signals() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before = {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) // nohup
      sigaction(signal, &action, nullptr);
  }
}

int run(const Words &command, std::string *errors) {
  return errors ? run_and_read(command, false, *errors) : wait_for(start(command, -1, -1));
}

std::string output_of(const Words &command) {
  std::string text;
  run_and_read(command, true, text);
  return text;
}

Background::Background(const Words &command, const fs::path &output) : output_(output) {
  const int file = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0)
    throw std::runtime_error("cannot write " + output.string() + ": " + std::strerror(errno));
  process_ = start(command, file, file);
  close(file);
}

Background::~Background() {
  if (process_ == 0)
    return;
  kill(process_, SIGTERM);
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::string Background::wait() {
  wait_for(std::exchange(process_, 0));
  std::ifstream file(output_);
  return {std::istreambuf_iterator<char>(file), {}};
}

TemporaryFolder::TemporaryFolder() {
  std::string path = (fs::temp_directory_path() / "nvcc-XXXXXX").string();
  if (!mkdtemp(path.data()))
    throw std::runtime_error("no temporary folder in " + fs::temp_directory_path().string() + ": " +
                             std::strerror(errno));
  path_ = path;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

} // namespace course_cpu::nvcc
