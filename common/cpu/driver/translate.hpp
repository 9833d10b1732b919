// The translator: turns CUDA C++ into C++ for the CPU backend.
#pragma once

#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace course_cpu::nvcc {

struct TranslateOptions {
  std::vector<std::filesystem::path> include_folders; // of #include, in this order
  bool instrument = false;                            // for a program that the tools look into
};

// Maps each written file to its source, which it names in #line.
using Written = std::map<std::filesystem::path, std::filesystem::path>;

// The program is not as it must be; the messages are complete, with file and line.
struct TranslationError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Writes `output`, the translation of `input`, and beside it a translated copy of each file that it
// includes from its own folder or from one of the include folders, directly or not, and that holds
// something to translate. Everything else is read from where it is. Writes nothing where it throws
// TranslationError; throws std::runtime_error for what cannot be read or written.
Written translate(const std::filesystem::path &input, const std::filesystem::path &output,
                  const TranslateOptions &options);

} // namespace course_cpu::nvcc
