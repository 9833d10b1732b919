// What a translation does to a file: replacements in its text, and messages about it.
#pragma once

#include <algorithm>
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
  void replace(std::size_t begin, std::size_t end, std::string text, const char *line_end = "\n") {
    const std::string_view old = source_.substr(begin, end - begin);
    for (auto lost = std::count(old.begin(), old.end(), '\n'); lost > 0; --lost)
      text += line_end;
    edits_.push_back({begin, end, std::move(text)});
  }

  // Replaces the bytes from `begin` to `end` by text of any number of lines. What follows it stands
  // in its own line and column again.
  void replace_lines(std::size_t begin, std::size_t end, std::string text) {
    edits_.push_back({begin, end, std::move(text) + place(end)});
  }

  void insert(std::size_t at, std::string text) { edits_.push_back({at, at, std::move(text)}); }

  // What becomes of the bytes from `begin` to `end` stands twice: after `first` and after `second`,
  // before `last`. In the order of the source; none lies in another one.
  void repeat(std::size_t begin, std::size_t end, const std::string &first,
              const std::string &second, const std::string &last) {
    repeats_.push_back(
        {begin, end, first + place(begin), second + place(begin), last + place(end)});
  }

  // Text after which the compiler is where byte `at` of the source is: its messages about what
  // follows name that line and point to that column.
  std::string place(std::size_t at) const {
    const auto line = 1 + std::count(source_.begin(), source_.begin() + at, '\n');
    return "\n#line " + std::to_string(line) + '\n' + blank(line_begin(at), at);
  }

  // Where the line of byte `at` begins.
  std::size_t line_begin(std::size_t at) const {
    const std::size_t line_end = at == 0 ? source_.npos : source_.rfind('\n', at - 1);
    return line_end == source_.npos ? 0 : line_end + 1;
  }

  std::string_view source(std::size_t begin, std::size_t end) const {
    return source_.substr(begin, end - begin);
  }

  // The bytes from `begin` to `end` as white space of the same form.
  std::string blank(std::size_t begin, std::size_t end) const {
    std::string text(source(begin, end));
    for (char &c : text)
      if (c != '\n' && c != '\r' && c != '\t')
        c = ' ';
    return text;
  }

  bool empty() const { return edits_.empty() && repeats_.empty(); }

  std::string apply() {
    std::stable_sort(edits_.begin(), edits_.end(),
                     [](const Edit &a, const Edit &b) { return a.begin < b.begin; });
    auto next = edits_.cbegin();
    std::size_t done = 0;
    const auto until = [&](std::size_t end, bool with_inserted_there) {
      std::string text;
      for (; next != edits_.cend() &&
             (next->begin < end || (with_inserted_there && next->end == end));
           ++next) {
        text.append(source_.substr(done, next->begin - done)).append(next->text);
        done = next->end;
      }
      text.append(source_.substr(done, end - done));
      done = end;
      return text;
    };
    std::string result;
    for (const Repeat &repeat : repeats_) {
      result += until(repeat.begin, false);
      const std::string text = until(repeat.end, true);
      result.append(repeat.first).append(text).append(repeat.second).append(text);
      result += repeat.last;
    }
    return result += until(source_.size(), true);
  }

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

inline std::string string_literal(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c;
  }
  return result + '"';
}

} // namespace course_cpu::translator
