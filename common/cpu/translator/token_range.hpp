// Questions about a sequence of tokens: what stands at a place, and where a group of them ends.
#pragma once

#include "lexer.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace course_cpu::translator {

// Refers to tokens that live elsewhere. An index may lie beyond the end, where nothing stands.
class TokenRange {
public:
  explicit TokenRange(const Tokens &tokens) : tokens_(tokens) {}

  std::size_t size() const { return tokens_.size(); }
  const Token &operator[](std::size_t i) const { return tokens_[i]; }

  bool is(std::size_t i, std::string_view text) const {
    return i < size() && tokens_[i].kind != Kind::literal && tokens_[i].text == text;
  }

  template <class... Texts> bool is_any(std::size_t i, Texts... texts) const {
    return (is(i, texts) || ...);
  }

  bool holds(std::size_t begin, std::size_t end, std::string_view text) const {
    return std::any_of(tokens_.begin() + begin, tokens_.begin() + end,
                       [text](const Token &token) { return token.text == text; });
  }

  bool opens(std::size_t i) const { return is_any(i, "(", "[", "{"); }
  bool closes(std::size_t i) const { return is_any(i, ")", "]", "}"); }

  // `<<<`, or `<< <`.
  bool opens_launch(std::size_t i) const;

  // An identifier that can name something: no keyword that may stand before an expression.
  bool is_name(std::size_t i) const;

  bool adjacent(std::size_t i) const {
    return i + 1 < size() && tokens_[i].end() == tokens_[i + 1].begin;
  }

  // The index after the bracket that closes the one at `open`; size() if there is none.
  std::size_t after_group(std::size_t open) const;

  // The index of the next token that is not in brackets which open at `i`.
  std::size_t next(std::size_t i) const { return opens(i) ? after_group(i) : i + 1; }

  // The same, over template arguments, too.
  std::size_t after(std::size_t i) const {
    return is(i, "<") && (is_name(i - 1) || is(i - 1, "template")) ? after_template_arguments(i)
                                                                   : next(i);
  }

  // The index of the bracket that the one at `close` closes; 0 if there is none.
  std::size_t group_begin(std::size_t close) const;

  // The index of the innermost bracket in which the token stands; 0 if there is none.
  std::size_t enclosing(std::size_t i) const;

  // A statement begins after `;`, a brace, `else`, or the brackets of `if`, `for` and `while`.
  bool begins_statement(std::size_t i) const;

  // True in sizeof(...) and the like, where only the type counts.
  bool is_unevaluated(std::size_t i) const;

  // The index after the template arguments that begin at `open`, a `<`.
  std::size_t after_template_arguments(std::size_t open) const;

  // The index of the template's name, given the `>` after its arguments; `close` if there is none.
  std::size_t template_begin(std::size_t close) const;

  // The tokens as one line: a blank where there is white space or a comment.
  std::string joined(std::size_t begin, std::size_t end) const;

private:
  const Tokens &tokens_;
};

} // namespace course_cpu::translator
