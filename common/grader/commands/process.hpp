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

} // namespace course
