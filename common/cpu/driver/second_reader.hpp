// The second reader: a compiler that knows execution spaces reads a source as it is, next to the
// host compiler, to which host and device code are the same. It is clang 14 or newer, or else
// NVIDIA's nvcc, which takes ten times as long. It is a witness of execution spaces only: all
// else that it complains about is the host compiler's business, or a lack of our headers. Its
// errors are passed on in its own words.
#pragma once

#include "process.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace course_cpu::nvcc {

// The program that reads; empty where there is none.
std::string second_reader();

// Writes cuda_runtime.h as clang has read it into the folder; empty files where there is no clang.
void precompile_for_reader(const std::filesystem::path &folder);

// Starts with the object, and ends with it.
class Reading {
public:
  // `options`: -D, -U, -I, -isystem, -include. `folder`: for its files.
  Reading(const std::filesystem::path &source, const std::string &standard, const Words &options,
          const std::filesystem::path &folder);
  ~Reading();

  // Waits. Its errors, behind a line that says whose they are; empty: there are none. Also clang's
  // warnings of misleading indentation: after #line g++ gives none.
  std::string errors(std::string &warnings);

private:
  struct Run;
  std::vector<std::unique_ptr<Run>> runs_;
};

} // namespace course_cpu::nvcc
