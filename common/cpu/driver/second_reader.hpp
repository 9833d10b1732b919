// The second reader: a compiler that knows execution spaces reads a source as it is, next to the
// host compiler, to which host and device code are the same. It is clang 14 or newer, or else
// NVIDIA's nvcc, which takes three times as long. It is a witness of execution spaces only: all
// else that it complains about is the host compiler's business, or a lack of our headers.
#pragma once

#include "process.hpp"

#include <filesystem>
#include <functional>
#include <string>

namespace course_cpu::nvcc {

// The program that reads; empty where there is none.
std::string second_reader();

// Writes cuda_runtime.h as clang has read it; an empty file where there is no clang.
void precompile_for_reader(const std::filesystem::path &file);

// Starts with the object, and ends with it.
class Reading {
public:
  // `options`: -D, -U, -I, -isystem, -include. `folder`: for its files.
  Reading(const std::filesystem::path &source, const std::string &standard, const Words &options,
          const std::filesystem::path &folder);

  // Waits. Errors as a compiler writes them; empty: there are none.
  std::string errors();

private:
  const std::function<Words(bool)> with_header_; // the command, with it precompiled or not
  const std::filesystem::path output_;
  Background reader_;
};

} // namespace course_cpu::nvcc
