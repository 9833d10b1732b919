// The toolkit's folders, and the compiler that does its work.
#pragma once

#include "options.hpp"

#include <filesystem>
#include <string>

namespace course_cpu::nvcc {

// The folder that holds bin/nvcc, include/ and lib64/.
std::filesystem::path toolkit();

// True of a folder with the headers of another toolkit, NVIDIA's.
bool is_include_folder_of_other(const std::filesystem::path &folder);

// Takes such folders from CPATH and its like, where compilers look before ours.
void hide_other_toolkits();

enum class Compiler { gnu, clang };

struct Host {
  std::string command;
  Compiler kind;
};

// That of -ccbin, else of $NVCC_CCBIN, else the one that the toolkit was built with.
Host host_compiler(const Command &command);

// Options of every compilation of CUDA C++, without -O.
Words compile_options(const Command &command, const Host &host);

// The folder of the toolkit's headers, and before it, where there is one for these options, that of
// cuda_runtime.h precompiled.
Words include_options(const Command &command, bool one_file);

// For every source: what nvcc defines.
Words macros();

// A link begins with these, so that no library of another toolkit is taken, and ends with the
// others.
Words library_folders();
Words runtime_libraries(const Command &command);

// Throws Fatal where a library of the toolkit is linked that is not built.
void require_libraries(const Command &command, const Words &link);

} // namespace course_cpu::nvcc
