// Tokens, comments, literals and directives.
#include "lexer.hpp"

#include <algorithm>
#include <cctype>
#include <tuple>
#include <utility>

namespace course_cpu::translator {
namespace {

class Lexer {
public:
  explicit Lexer(std::string_view source) : source_(source) {}

  Lexed run() {
    Lexed lexed;
    for (bool line_start = true;; line_start = false) {
      line_start |= skip_space(/*over_lines=*/true);
      if (position_ == source_.size())
        return lexed;
      if (!line_start || !at("#"))
        lexed.code.push_back(token());
      else if (Tokens tokens = directive(); !tokens.empty())
        lexed.directives.push_back(std::move(tokens));
    }
  }

private:
  bool at(std::string_view text) const {
    return source_.compare(position_, text.size(), text) == 0;
  }

  char character(std::size_t index) const { return index < source_.size() ? source_[index] : '\0'; }

  static bool in_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || (c & 0x80);
  }

  // The length of a backslash, white space and the end of the line at `index`; 0 if there is none.
  std::size_t line_splice(std::size_t index) const {
    if (character(index) != '\\')
      return 0;
    const std::size_t end = source_.find_first_not_of(" \t\r", index + 1);
    return end != source_.npos && source_[end] == '\n' ? end + 1 - index : 0;
  }

  void advance_to(std::size_t position) {
    position = std::min(position, source_.size());
    const std::string_view passed = source_.substr(position_, position - position_);
    line_ += static_cast<int>(std::count(passed.begin(), passed.end(), '\n'));
    position_ = position;
  }

  // The end of the line at `index`: of the last one where lines are joined by backslashes.
  std::size_t line_end(std::size_t index) const {
    while (index < source_.size() && source_[index] != '\n')
      index += std::max<std::size_t>(1, line_splice(index));
    return index;
  }

  // Skips white space and comments; says whether it went over the end of a line.
  bool skip_space(bool over_lines) {
    bool new_line = false;
    while (position_ < source_.size()) {
      const char c = source_[position_];
      if (c == '\n' && !over_lines)
        break;
      new_line |= c == '\n';
      if (std::isspace(static_cast<unsigned char>(c)))
        advance_to(position_ + 1);
      else if (const std::size_t splice = line_splice(position_))
        advance_to(position_ + splice);
      else if (at("//"))
        advance_to(line_end(position_));
      else if (at("/*"))
        advance_to(after("*/", position_ + 2));
      else
        break;
    }
    return new_line;
  }

  // The place after the next `text`, or the end of the source.
  std::size_t after(std::string_view text, std::size_t from) const {
    const std::size_t found = source_.find(text, from);
    return found == source_.npos ? source_.size() : found + text.size();
  }

  Tokens directive() {
    Tokens tokens;
    advance_to(position_ + 1);
    while (skip_space(/*over_lines=*/false), position_ < source_.size() && !at("\n"))
      tokens.push_back(token());
    if (!tokens.empty() && opens_disabled_lines(tokens)) {
      skip_disabled_lines();
      if (tokens[0].text == "else") // as if it were not there
        tokens.clear();
    }
    return tokens;
  }

  // `#if 0`, and what is not for nvcc: `#ifndef __CUDACC__`, the `#else` of `#ifdef __CUDACC__`.
  bool opens_disabled_lines(const Tokens &directive) {
    const std::string_view word = directive[0].text;
    const bool asks_nvcc = directive.size() == 2 && directive[1].text == "__CUDACC__";
    if (word == "else")
      return !for_nvcc_.empty() && for_nvcc_.back();
    if (word == "endif" && !for_nvcc_.empty())
      for_nvcc_.pop_back();
    if (word.substr(0, 2) == "if")
      for_nvcc_.push_back(word == "ifdef" && asks_nvcc);
    return (word == "ifndef" && asks_nvcc) ||
           (word == "if" && directive.size() == 2 && directive[1].text == "0");
  }

  // Goes to the end of the line before the `#else`, `#elif` or `#endif` that ends an `#if 0`.
  void skip_disabled_lines() {
    int depth = 1;
    while (position_ < source_.size()) {
      const std::size_t hash = source_.find_first_not_of(" \t\r", position_ + 1);
      if (character(hash) == '#') {
        const std::size_t word = source_.find_first_not_of(" \t", hash + 1);
        const std::string_view rest = source_.substr(std::min(word, source_.size()));
        if (rest.substr(0, 2) == "if")
          ++depth;
        else if (rest.substr(0, 5) == "endif")
          --depth;
        if (depth == 0 || (depth == 1 && rest.substr(0, 2) == "el"))
          return;
      }
      advance_to(line_end(position_ + 1));
    }
  }

  Token token() {
    const std::size_t begin = position_;
    const int line = line_;
    const Kind kind = skip_token();
    const std::string_view text = source_.substr(begin, position_ - begin);
    follows_operator_ = kind == Kind::identifier && text == "operator";
    return {kind, text, begin, line};
  }

  Kind skip_token() {
    const char c = source_[position_];
    const bool number =
        std::isdigit(static_cast<unsigned char>(c)) ||
        (c == '.' && std::isdigit(static_cast<unsigned char>(character(position_ + 1))));
    if (number) {
      skip_number();
      return Kind::number;
    }
    if (in_name(c)) {
      const std::size_t begin = position_;
      std::size_t end = position_;
      while (in_name(character(end)))
        ++end;
      advance_to(end);
      const std::string_view name = source_.substr(begin, end - begin);
      const std::string_view prefix =
          !name.empty() && name.back() == 'R' ? name.substr(0, name.size() - 1) : name;
      const bool encoding = prefix == "u8" || prefix == "u" || prefix == "U" || prefix == "L";
      if (prefix != name && (prefix.empty() || encoding) && at("\"")) {
        skip_raw_string();
        return Kind::literal;
      }
      if (prefix != name || !encoding || !(at("\"") || at("'")))
        return Kind::identifier;
      skip_quoted();
      return Kind::literal;
    }
    if (c == '"' || c == '\'') {
      skip_quoted();
      return Kind::literal;
    }
    // `>` always stands alone: a run of them may end template arguments, a shift or a launch.
    for (const std::string_view text : {"<<<", "<<=", "<=>", "<<", "<=", ">=", "->", "::"})
      if (at(text)) {
        advance_to(position_ + text.size());
        if (text == "<<" && !follows_operator_)
          skip_end_of_launch_bracket();
        return Kind::punctuation;
      }
    advance_to(position_ + 1);
    return Kind::punctuation;
  }

  // Some write `<< <` for `<<<`, and nvcc takes it, in one line.
  void skip_end_of_launch_bracket() {
    const auto before = std::pair(position_, line_);
    if (skip_space(/*over_lines=*/false), at("<"))
      advance_to(position_ + 1);
    else
      std::tie(position_, line_) = before;
  }

  // A number with suffix, exponent and digit separators: 1'000'003ull, 0x1p-3f.
  void skip_number() {
    std::size_t end = position_ + 1;
    for (;; ++end) {
      const char c = character(end);
      const char before = static_cast<char>(std::tolower(character(end - 1)));
      const bool sign = (c == '+' || c == '-') && (before == 'e' || before == 'p');
      const bool separator = c == '\'' && in_name(character(end + 1));
      if (!in_name(c) && c != '.' && !sign && !separator)
        break;
    }
    advance_to(end);
  }

  // A string or character; one that is not closed ends with its line (an apostrophe in #error).
  void skip_quoted() {
    const char quote = source_[position_];
    std::size_t end = position_ + 1;
    while (end < source_.size() && source_[end] != quote && source_[end] != '\n') {
      const std::size_t splice = line_splice(end);
      end += splice ? splice : source_[end] == '\\' ? 2 : 1;
    }
    advance_to(character(end) == quote ? end + 1 : end);
  }

  void skip_raw_string() {
    const std::size_t open = source_.find('(', position_);
    if (open == source_.npos)
      return advance_to(source_.size());
    const std::string_view delimiter = source_.substr(position_ + 1, open - position_ - 1);
    std::size_t close = open;
    do
      close = source_.find(')', close + 1);
    while (close != source_.npos && (source_.compare(close + 1, delimiter.size(), delimiter) != 0 ||
                                     character(close + 1 + delimiter.size()) != '"'));
    advance_to(close == source_.npos ? close : close + delimiter.size() + 2);
  }

  std::string_view source_;
  std::size_t position_ = 0;
  int line_ = 1;
  bool follows_operator_ = false;
  std::vector<bool> for_nvcc_; // of each open #if: whether it is `#ifdef __CUDACC__`
};

} // namespace

Lexed lex(std::string_view source) { return Lexer(source).run(); }

} // namespace course_cpu::translator
