// Rules that make and ninja read: what a file was made from.
#pragma once

#include "words.hpp"

#include <filesystem>
#include <string>

namespace course_cpu::nvcc {

// The files after the colon of the one rule that a compiler has written.
Words prerequisites(const std::filesystem::path &rule);

// A path as a rule has it: with \ before a blank.
std::string escaped(const std::string &path);

// A rule as g++ writes it, the targets as they are given (-MT); with phony targets for all but the
// first file where asked.
std::string rule(const Words &targets, const Words &files, bool phony_targets);

} // namespace course_cpu::nvcc
