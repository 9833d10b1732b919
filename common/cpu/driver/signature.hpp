// Functions as compilers name them in messages, and as sources declare them.
#pragma once

#include "translator/lexer.hpp"
#include "words.hpp"

#include <string>
#include <string_view>

namespace course_cpu::nvcc {

struct Signature {
  std::string name; // empty where the text is no function
  Words parameters;
};

// A file's code.
struct Source {
  explicit Source(const std::string &file);
  std::string text;
  translator::Tokens tokens;
};

// 'void mark(int*, int)', 'T atomicAdd(T*, T) [with T = int]', 'scale(float*&, double)'.
Signature signature_of(std::string_view text);

// The parameters as the file declares them, names and defaults included, where the function's name
// stands in that line or the next ones; empty where it does not.
Words declared_parameters(const std::string &file, int line, const std::string &name);

// How many arguments the call of that name has which comes last at that line or before it and
// reaches it; -1 where there is none.
int argument_count(const std::string &file, int line, const std::string &name);

// A type as it is written in programs: 'float*&' is "float *".
std::string written_type(std::string type);

std::string joined(const Words &words);

} // namespace course_cpu::nvcc
