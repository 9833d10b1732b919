// Starts programs, reads what they print, and passes signals on.
#include "process.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <utility>

#include <spawn.h>
#include <sys/mman.h>
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

Background::Background(const Words &command, bool with_stdout)
    : output_(memfd_create("output", MFD_CLOEXEC)) {
  if (output_ < 0)
    throw std::runtime_error(std::string("no memory for messages: ") + std::strerror(errno));
  process_ = start(command, with_stdout ? output_ : -1, output_);
}

Background::~Background() {
  if (process_ != 0) {
    kill(process_, SIGTERM);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  close(output_);
}

int Background::wait(std::string &output) {
  const int code = wait_for(std::exchange(process_, 0));
  lseek(output_, 0, SEEK_SET);
  char buffer[4096];
  for (ssize_t n; (n = read(output_, buffer, sizeof buffer)) > 0;)
    output.append(buffer, static_cast<std::size_t>(n));
  return code;
}

int run(const Words &command, std::string *errors) {
  return errors ? Background(command, false).wait(*errors) : wait_for(start(command, -1, -1));
}

std::string output_of(const Words &command) {
  std::string text;
  Background(command, true).wait(text);
  return text;
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
