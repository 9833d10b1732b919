// A C++ lexer: splits CUDA C++ into tokens and preprocessor directives.
//
// White space, comments, and what stands between `#if 0` or the like and its `#else` or `#endif`
// yield no token. A token knows its place in the text, so that a rewriter can leave everything else
// alone.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace course_cpu::translator {

enum class Kind { identifier, number, literal, punctuation }; // literal: a string or a character

struct Token {
  Kind kind;
  std::string_view text;
  std::size_t begin; // offset in the source, in bytes
  int line;          // counted from 1

  std::size_t end() const { return begin + text.size(); }
};

using Tokens = std::vector<Token>;

struct Lexed {
  Tokens code;                    // everything outside of directives
  std::vector<Tokens> directives; // without the `#`: the first token is the directive's name
};

Lexed lex(std::string_view source);

} // namespace course_cpu::translator
