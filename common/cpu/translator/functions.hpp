// The functions of a file, and on which side each token runs: host or device.
//
// Only what is certain counts: a function whose declaration holds a word that may be an unknown
// macro, which may say __device__, is on no known side.
#pragma once

#include "lexer.hpp"
#include "token_range.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace course_cpu::translator {

enum class Side : char { none, unknown, host, device, both }; // none: outside of functions

// The words of each macro without parameters that specifies where code runs: `#define DEVICE
// __device__ inline`. If it is defined several times, as for other compilers, all words count.
using Specifiers = std::map<std::string, std::vector<std::string>, std::less<>>;
void find_specifiers(const Lexed &lexed, Specifiers &specifiers);

// A function's declaration, with or without its body, outside of functions.
struct Function {
  std::size_t begin, name, parameters; // tokens: the first, the name, the `(`
  std::size_t body;                    // its `{`, or its `;`
  Side side;
  bool is_kernel, is_member;
  bool may_be_device; // it says so, or has a word that may be a macro
};

// A declaration outside of functions and classes, and of no function.
struct Declaration {
  std::size_t begin, end; // tokens: the first, the `;`
};

class Functions {
public:
  Functions(const Lexed &lexed, const Specifiers &specifiers);

  const std::vector<Function> &all() const { return functions_; }
  // Those that hold __device__, __constant__ or __managed__ and declare variables.
  const std::vector<Declaration> &variables() const { return variables_; }
  Side side(std::size_t token) const { return side_[token]; }
  // False if a bracket is not closed, perhaps in a macro: then sides are not known.
  bool balanced() const { return balanced_; }
  // True if the token may be part of a macro's argument.
  bool in_brackets(std::size_t token) const { return in_brackets_[token]; }

  // The braces of the outermost scopes that run on the device only: begin and end of each.
  const std::vector<std::size_t> &device_begins() const { return device_begins_; }
  const std::vector<std::size_t> &device_ends() const { return device_ends_; }

  // True if the token is that word, or a macro that holds it.
  bool says(std::size_t i, std::string_view word) const;

  bool is_builtin_type(std::size_t i) const;

  // A word that may be a macro.
  static bool is_upper(std::string_view word);

private:
  class Finder;

  // The words of the macro that the token names; null if it names none.
  const std::vector<std::string> *macro(std::size_t i) const;

  TokenRange tokens_;
  const Specifiers &specifiers_;
  std::vector<Side> side_;
  std::vector<bool> in_brackets_;
  std::vector<Function> functions_;
  std::vector<Declaration> variables_;
  std::vector<std::size_t> device_begins_, device_ends_;
  bool balanced_ = true;
};

} // namespace course_cpu::translator
