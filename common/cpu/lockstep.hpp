// Code from before __syncwarp, in which the lanes of a warp go in step by themselves and exchange
// values in volatile memory:
//
//   v[t] += v[t + 16];   -> ::course_cpu::converge(), ::course_cpu::in_step(v[t]) += v[t + 16];
//
// where v is declared volatile: all lanes that come there read before any of them writes.
#pragma once

#include "edits.hpp"
#include "functions.hpp"
#include "lexer.hpp"
#include "token_range.hpp"

#include <cstddef>
#include <set>
#include <string_view>

namespace course_cpu::translator {

class Lockstep {
public:
  Lockstep(const Lexed &lexed, const Functions &functions, Edits &edits)
      : tokens_(lexed.code), functions_(functions), edits_(edits) {}

  void run() {
    for (std::size_t i = 0; i < tokens_.size(); ++i)
      if (tokens_.is(i, "volatile"))
        add_declared(i);
    for (std::size_t i = 1; !names_.empty() && i < tokens_.size(); ++i)
      if (is_volatile(i) && functions_.side(i) == Side::device && tokens_.begins_statement(i))
        mark(i);
  }

private:
  bool is_volatile(std::size_t i) const {
    return i < tokens_.size() && names_.count(tokens_[i].text);
  }

  // volatile T *name, or volatile T name[...]
  void add_declared(std::size_t i) {
    bool is_pointer = false;
    for (++i; i < tokens_.size() && !tokens_.is_any(i, ",", ";", "=", "(", ")", "{"); ++i) {
      is_pointer |= tokens_.is(i, "*");
      const bool ends = tokens_.is_any(i + 1, ",", ";", "=", ")", "(");
      if (tokens_.is_name(i) && (tokens_.is(i + 1, "[") || (is_pointer && ends)))
        names_.insert(tokens_[i].text);
    }
  }

  void mark(std::size_t begin) {
    std::size_t i = begin + 1;
    while (tokens_.is(i, "[") || tokens_.is(i, "."))
      i = tokens_.is(i, "[") ? tokens_.after_group(i) : i + 2;
    if (i == begin + 1)
      return;
    const std::size_t place_end = tokens_[i - 1].end();
    i += tokens_.is_any(i, "+", "-", "*", "/", "&", "|", "^");
    if (!tokens_.is(i, "=") || tokens_.is(i + 1, "="))
      return;
    for (std::size_t read = i + 1; read < tokens_.size() && !tokens_.is(read, ";"); ++read)
      if (is_volatile(read)) {
        edits_.insert(tokens_[begin].begin, "::course_cpu::converge(), ::course_cpu::in_step(");
        edits_.insert(place_end, ")");
        return;
      }
  }

  TokenRange tokens_;
  const Functions &functions_;
  Edits &edits_;
  std::set<std::string_view> names_; // of what is declared volatile
};

} // namespace course_cpu::translator
