// Starts programs that are trusted: the grader's own, and compilers inside a sandbox.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace course {

using Words = std::vector<std::string>;

// Starts a program with its output in these files (empty: where that of this process goes), and
// with some environment variables more.
pid_t start(Words words, const std::filesystem::path &output, const std::filesystem::path &errors,
            const std::map<const char *, std::string> &variables = {});

// Waits for it. Returns the exit code, or 128 + signal.
int finish(pid_t child);

// How a step of compile-worker ends.
enum CompileStep : int {
  step_done = 0,
  step_is_wrong = 1,     // the submission is, and the output says at which line or name
  step_failed = 3,       // which may not be the submission's doing: the control tells
  step_is_not_built = 9, // a part of the grader's own
};

} // namespace course
