// Reads a declaration that has __shared__.
#pragma once

#include "token_range.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace course_cpu::translator {

struct Declarator {
  std::size_t begin, name, end; // tokens: `*`, name, [N]; name == end where none was found
};

struct SharedDeclaration {
  std::size_t begin;                            // the first token of its specifiers
  std::size_t type;                             // the first token after `__shared__`
  std::size_t end;                              // its `;`
  std::vector<std::size_t> dropped;             // `extern`, `static`, `__shared__`, alignments
  std::pair<std::size_t, std::size_t> alignas_; // an alignas after `__shared__`
  bool is_extern;
  std::size_t initial_value; // the `=` or `{` of one; the number of tokens if there is none
  std::vector<Declarator> declarators;
};

// The declaration whose `__shared__` is that token; its end is the number of tokens where it is
// none, or only a part of one.
SharedDeclaration shared_declaration(const TokenRange &tokens, std::size_t keyword);

} // namespace course_cpu::translator
