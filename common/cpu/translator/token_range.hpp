// Questions about a sequence of tokens: what stands at a place, and where a group of them ends.
#pragma once

#include "lexer.hpp"

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

  bool opens(std::size_t i) const { return is_any(i, "(", "[", "{"); }
  bool closes(std::size_t i) const { return is_any(i, ")", "]", "}"); }

  // `<<<`, or `<< <`.
  bool opens_launch(std::size_t i) const {
    return i < size() && tokens_[i].kind == Kind::punctuation && tokens_[i].text.size() > 2 &&
           tokens_[i].text.substr(0, 2) == "<<" && tokens_[i].text.back() == '<';
  }

  // An identifier that can name something: no keyword that may stand before an expression.
  bool is_name(std::size_t i) const {
    return i < size() && tokens_[i].kind == Kind::identifier &&
           !is_any(i, "return", "else", "do", "case", "if", "for", "while", "switch", "throw",
                   "not", "and", "or", "co_return", "co_yield", "co_await", "template");
  }

  bool adjacent(std::size_t i) const {
    return i + 1 < size() && tokens_[i].end() == tokens_[i + 1].begin;
  }

  // The index after the bracket that closes the one at `open`; size() if there is none.
  std::size_t after_group(std::size_t open) const {
    std::size_t depth = 0;
    for (std::size_t i = open; i < size(); ++i) {
      depth += opens(i);
      depth -= closes(i);
      if (depth == 0)
        return i + 1;
    }
    return size();
  }

  // The index of the bracket that the one at `close` closes; 0 if there is none.
  std::size_t group_begin(std::size_t close) const {
    std::size_t depth = 0;
    for (std::size_t i = close; i > 0; --i) {
      depth += closes(i);
      depth -= opens(i);
      if (depth == 0)
        return i;
    }
    return 0;
  }

  // The index of the innermost bracket in which the token stands; 0 if there is none.
  std::size_t enclosing(std::size_t i) const {
    std::size_t open = i - 1;
    while (open > 0 && !opens(open))
      open = closes(open) ? group_begin(open) - 1 : open - 1;
    return open;
  }

  // A statement begins after `;`, a brace, `else`, or the brackets of `if`, `for` and `while`.
  bool begins_statement(std::size_t i) const {
    if (is_any(i - 1, ";", "{", "}", "else", "do"))
      return true;
    if (!is(i - 1, ")"))
      return false;
    const std::size_t open = group_begin(i - 1);
    return open > 0 && is_any(open - 1, "if", "for", "while", "constexpr");
  }

  // Whether the token stands in sizeof(...) or the like, of which only the type counts.
  bool is_unevaluated(std::size_t i) const {
    std::size_t k = i - 1;
    while (is(k, "*"))
      --k;
    if (is(k, "sizeof"))
      return true;
    for (k = i - 1; k > 0 && k < size() && !is_any(k, ";", "{", "}"); --k)
      if (closes(k))
        k = group_begin(k);
      else if (is(k, "(") && is_any(k - 1, "sizeof", "decltype", "alignof"))
        return true;
    return false;
  }

  // The index after the template arguments that begin at `open`, a `<`.
  std::size_t after_template_arguments(std::size_t open) const {
    std::size_t depth = 0;
    for (std::size_t i = open; i < size();) {
      if (opens(i)) {
        i = after_group(i);
        continue;
      }
      depth += is(i, "<");
      depth -= is(i, ">");
      ++i;
      if (depth == 0)
        return i;
    }
    return size();
  }

  // The index of the template's name, given the `>` after its arguments; `close` if there is none.
  std::size_t template_begin(std::size_t close) const {
    std::size_t depth = 0;
    for (std::size_t i = close; i > 0 && !opens(i) && !is(i, ";"); --i) {
      if (closes(i))
        i = group_begin(i);
      else if (is(i, ">"))
        ++depth;
      else if (is(i, "<") && --depth == 0) {
        // In k<N < 4> the last `<` is a comparison: another `<` stands before the name.
        if (is_name(i - 1) && !(i >= 2 && is(i - 2, "<")))
          return i - 1;
        ++depth;
      }
      if (i == 0)
        break;
    }
    return close;
  }

  // The tokens as one line: a blank where there is white space or a comment.
  std::string joined(std::size_t begin, std::size_t end) const {
    std::string text;
    for (std::size_t i = begin; i < end; ++i) {
      if (i > begin && !adjacent(i - 1))
        text += ' ';
      text += tokens_[i].text;
    }
    return text;
  }

private:
  const Tokens &tokens_;
};

} // namespace course_cpu::translator
