#include "common/grader/sandbox/text.hpp"

#include <algorithm>
#include <cstdio>
#include <cwchar>
#include <locale>
#include <sstream>
#include <utility>

namespace course {
namespace {

// The bytes of the UTF-8 character at `at`, and the character; 0 where there is none.
std::pair<std::size_t, char32_t> character_at(const std::string &text, std::size_t at) {
  using Utf8 = std::codecvt<char32_t, char, std::mbstate_t>;
  const char *const begin = text.data() + at, *const end = text.data() + text.size(), *next = begin;
  char32_t character = 0, *after;
  std::mbstate_t state{};
  std::use_facet<Utf8>(std::locale::classic())
      .in(state, begin, end, next, &character, &character + 1, after);
  return {next - begin, character};
}

// Control characters, line separators, what changes the direction of writing or is not seen, halves
// of pairs, and what XML does not allow.
bool is_control(char32_t c) {
  return (c < 32 && c != '\n' && c != '\t') || (c >= 0x7F && c < 0xA0) || c == 0x61C ||
         (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2060 && c <= 0x206F) || (c >= 0xD800 && c <= 0xDFFF) || c == 0xFEFF ||
         c == 0xFFFE || c == 0xFFFF;
}

// A text in which nowhere is `part`, such as the folder of files that it names.
std::string without(std::string text, const std::string &part) {
  for (std::size_t at; (at = text.find(part)) != text.npos;)
    text.erase(at, part.size());
  return text;
}

} // namespace

std::string printable(const std::string &written) {
  const std::string text = without(written, COURSE_ROOT "/");
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const auto [length, character] = character_at(text, at);
    if (length > 0 && !is_control(character)) {
      result.append(text, at, length);
      at += length;
      continue;
    }
    for (const std::size_t end = at + std::max<std::size_t>(length, 1); at < end; ++at) {
      char code[5];
      std::snprintf(code, sizeof code, "\\x%02X", static_cast<unsigned char>(text[at]));
      result += code;
    }
  }
  return result;
}

std::string indented(const std::string &text) {
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    result += "  " + line + "\n";
  return result;
}

} // namespace course
