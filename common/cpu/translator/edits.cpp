// Applies the replacements to the text, and keeps its lines.
#include "edits.hpp"

#include <algorithm>

namespace course_cpu::translator {

void Edits::replace(std::size_t begin, std::size_t end, std::string text, const char *line_end) {
  const std::string_view old = source_.substr(begin, end - begin);
  for (auto lost = std::count(old.begin(), old.end(), '\n'); lost > 0; --lost)
    text += line_end;
  edits_.push_back({begin, end, std::move(text)});
}

void Edits::replace_lines(std::size_t begin, std::size_t end, std::string text) {
  edits_.push_back({begin, end, std::move(text) + place(end)});
}

void Edits::repeat(std::size_t begin, std::size_t end, const std::string &first,
                   const std::string &second, const std::string &last) {
  repeats_.push_back({begin, end, first + place(begin), second + place(begin), last + place(end)});
}

std::string Edits::place(std::size_t at) const {
  const auto line = 1 + std::count(source_.begin(), source_.begin() + at, '\n');
  return "\n#line " + std::to_string(line) + '\n' + blank(line_begin(at), at);
}

std::size_t Edits::line_begin(std::size_t at) const {
  const std::size_t line_end = at == 0 ? source_.npos : source_.rfind('\n', at - 1);
  return line_end == source_.npos ? 0 : line_end + 1;
}

std::string Edits::blank(std::size_t begin, std::size_t end) const {
  std::string text(source(begin, end));
  for (char &c : text)
    if (c != '\n' && c != '\r' && c != '\t')
      c = ' ';
  return text;
}

std::string Edits::apply() {
  std::stable_sort(edits_.begin(), edits_.end(),
                   [](const Edit &a, const Edit &b) { return a.begin < b.begin; });
  auto next = edits_.cbegin();
  std::size_t done = 0;
  const auto until = [&](std::size_t end, bool with_inserted_there) {
    std::string text;
    for (;
         next != edits_.cend() && (next->begin < end || (with_inserted_there && next->end == end));
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

std::string string_literal(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c;
  }
  return result + '"';
}

} // namespace course_cpu::translator
