// Command lines as text: what a shell would make of them, and how they are shown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace course_cpu::nvcc {

using Words = std::vector<std::string>;

inline void append(Words &words, const Words &more) {
  words.insert(words.end(), more.begin(), more.end());
}

// The words of a text as a shell reads them: quotes and backslashes, but no expansions.
Words shell_words(std::string_view text);

// The items of a list with commas between them; a backslash before a comma makes it part of an
// item.
Words list_items(std::string_view text);

// The words as a shell would have to be given them, on one line.
std::string shown(const Words &words);

inline bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}

inline std::string without(std::string text, std::string_view part) {
  for (std::size_t at; (at = text.find(part)) != text.npos;)
    text.erase(at, part.size());
  return text;
}

inline bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

} // namespace course_cpu::nvcc
