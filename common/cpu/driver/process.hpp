// Runs other programs, and removes its temporary folder at the end.
#pragma once

#include "words.hpp"

#include <filesystem>
#include <string>

namespace course_cpu::nvcc {

// SIGINT, SIGTERM and SIGHUP end the program that runs; then Interrupted is thrown, so that
// temporary files are removed on the way out.
struct Interrupted {
  int signal;
};
void catch_signals();

// Runs a program, found on PATH, and returns its exit code. `errors`: receives what it writes to
// stderr; nullptr: that goes where ours does. Throws std::runtime_error where it cannot be started.
int run(const Words &command, std::string *errors = nullptr);

// The program's stdout and stderr.
std::string output_of(const Words &command);

// A program that runs next to ours, and ends with the object.
class Background {
public:
  // Keeps what it writes to stderr and, if asked, to stdout.
  Background(const Words &command, bool with_stdout);
  ~Background();
  Background(const Background &) = delete;
  Background &operator=(const Background &) = delete;

  // Waits until it has ended; appends what it wrote, and returns its exit code.
  int wait(std::string &output);

private:
  const int output_; // a file in memory
  int process_;      // 0: it has ended
};

// A folder below $TMPDIR, removed with what it holds.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  const std::filesystem::path &path() const { return path_; }

private:
  std::filesystem::path path_;
};

} // namespace course_cpu::nvcc
