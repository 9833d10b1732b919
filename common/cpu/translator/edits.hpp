// Replacements in a file's text, and messages about it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace course_cpu::translator {

struct Error {
  int line;
  std::string message;
};

// Replacements in a text, in any order; they must not overlap.
class Edits {
public:
  explicit Edits(std::string_view source) : source_(source) {}

  // Replaces the bytes from `begin` to `end` by one line of text, and adds `line_end` for each end
  // of a line that they hold.
  void replace(std::size_t begin, std::size_t end, std::string text, const char *line_end = "\n");

  // Replaces the bytes from `begin` to `end` by text of any number of lines. What follows it stands
  // in its own line and column again.
  void replace_lines(std::size_t begin, std::size_t end, std::string text);

  void insert(std::size_t at, std::string text) { edits_.push_back({at, at, std::move(text)}); }

  // Repeats the translation of the bytes from `begin` to `end`: after `first` and after `second`,
  // before `last`. In the order of the source; none lies in another one.
  void repeat(std::size_t begin, std::size_t end, const std::string &first,
              const std::string &second, const std::string &last);

  // Text after which the compiler is where byte `at` of the source is: its messages about what
  // follows name that line and point to that column.
  std::string place(std::size_t at) const;

  std::size_t line_begin(std::size_t at) const;

  std::string_view source(std::size_t begin, std::size_t end) const {
    return source_.substr(begin, end - begin);
  }

  // The bytes from `begin` to `end` as white space of the same form.
  std::string blank(std::size_t begin, std::size_t end) const;

  bool empty() const { return edits_.empty() && repeats_.empty(); }

  std::string apply();

private:
  struct Edit {
    std::size_t begin, end;
    std::string text;
  };
  struct Repeat {
    std::size_t begin, end;
    std::string first, second, last;
  };
  std::string_view source_;
  std::vector<Edit> edits_;
  std::vector<Repeat> repeats_;
};

// The text as a string of C++, in quotes.
std::string string_literal(std::string_view text);

} // namespace course_cpu::translator
