// Splits and quotes command lines.
#include "words.hpp"

#include <cctype>

namespace course_cpu::nvcc {

Words shell_words(std::string_view text) {
  Words words;
  std::string word;
  bool in_word = false;
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool escapes = quote == '\0' || (quote == '"' && i + 1 < text.size() &&
                                           (text[i + 1] == '"' || text[i + 1] == '\\'));
    if (c == '\\' && escapes && i + 1 < text.size()) {
      word += text[++i];
      in_word = true;
    } else if (quote != '\0' ? c == quote : c == '"' || c == '\'') {
      quote = quote != '\0' ? '\0' : c;
      in_word = true;
    } else if (quote == '\0' && std::isspace(static_cast<unsigned char>(c))) {
      if (in_word)
        words.push_back(std::move(word));
      word.clear();
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word)
    words.push_back(std::move(word));
  return words;
}

Words list_items(std::string_view text) {
  Words items(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == ',')
      items.back() += text[++i];
    else if (text[i] == ',')
      items.emplace_back();
    else
      items.back() += text[i];
  }
  return items;
}

std::string shown(const Words &words) {
  std::string text;
  for (const std::string &word : words) {
    const bool plain =
        !word.empty() && !starts_with(word, "-L") &&
        word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "-_=+./,:@%") == word.npos;
    text += text.empty() ? "" : " ";
    text += plain ? "" : "\"";
    for (const char c : word) {
      if (!plain && (c == '"' || c == '\\' || c == '$' || c == '`'))
        text += '\\';
      text += c;
    }
    text += plain ? "" : "\"";
  }
  return text;
}

} // namespace course_cpu::nvcc
