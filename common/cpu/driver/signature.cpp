#include "signature.hpp"

#include "translator/token_range.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

using namespace course_cpu::translator;

namespace course_cpu::nvcc {
namespace {

std::string trimmed(const std::string &text) {
  const std::size_t begin = text.find_first_not_of(' ');
  return begin == text.npos ? "" : text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

// The parts of `text` between commas that stand in no brackets.
Words parts(std::string_view text) {
  Words words(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' || c == '<' || c == '[' || c == '{';
    depth -= c == ')' || c == '>' || c == ']' || c == '}';
    if (c == ',' && depth == 0)
      words.emplace_back();
    else
      words.back() += c;
  }
  for (std::string &word : words)
    word = trimmed(word);
  // What the backend adds: the line of the call.
  words.erase(std::remove_if(words.begin(), words.end(),
                             [](const std::string &word) {
                               return word.empty() || word == "void" ||
                                      word.find("SourceLine") != word.npos;
                             }),
              words.end());
  return words;
}

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == ':'; }

} // namespace

Source::Source(const std::string &file) {
  std::ifstream stream(file, std::ios::binary);
  text.assign(std::istreambuf_iterator<char>(stream), {});
  tokens = lex(text).code;
}

Signature signature_of(std::string_view text) {
  // The parameters begin at the first bracket outside of template arguments.
  std::size_t open = text.npos;
  int depth = 0;
  for (std::size_t i = 0; i < text.size() && open == text.npos; ++i) {
    depth += text[i] == '<';
    depth -= text[i] == '>';
    if (text[i] == '(' && depth == 0)
      open = i;
  }
  if (open == text.npos)
    return {};
  std::size_t close = open;
  for (depth = 0; close < text.size(); ++close) {
    depth += text[close] == '(';
    depth -= text[close] == ')';
    if (depth == 0)
      break;
  }
  std::size_t end = open, begin = open;
  if (end > 0 && text[end - 1] == '>') // template arguments of the function
    for (depth = 0; end > 0; --end) {
      depth += text[end - 1] == '>';
      depth -= text[end - 1] == '<';
      if (depth == 0) {
        begin = --end;
        break;
      }
    }
  while (begin > 0 && in_name(text[begin - 1]))
    --begin;
  return {std::string(text.substr(begin, end - begin)),
          parts(text.substr(open + 1, close - open - 1))};
}

Words declared_parameters(const std::string &file, int line, const std::string &name) {
  const Source source(file);
  const TokenRange tokens(source.tokens);
  for (std::size_t i = 0; i < tokens.size() && tokens[i].line <= line + 3; ++i)
    if (tokens[i].line >= line && tokens.is(i, name) && tokens.is(i + 1, "("))
      return parts(tokens.joined(i + 2, tokens.after_group(i + 1) - 1));
  return {};
}

int argument_count(const std::string &file, int line, const std::string &name) {
  const Source source(file);
  const TokenRange tokens(source.tokens);
  int count = -1;
  for (std::size_t i = 0; i < tokens.size() && tokens[i].line <= line; ++i) {
    if (!tokens.is(i, name))
      continue;
    std::size_t open = i + 1;
    if (tokens.opens_launch(open)) {
      while (open < tokens.size() && !(tokens.is(open, "(") && tokens.is(open - 1, ">") &&
                                       tokens.is(open - 2, ">") && tokens.is(open - 3, ">")))
        open = open > i + 1 && tokens.opens(open) ? tokens.after_group(open) : open + 1;
    } else if (tokens.is(open, "<")) {
      open = tokens.after_template_arguments(open);
    }
    const std::size_t end = tokens.after_group(open);
    if (!tokens.is(open, "(") || end > tokens.size() || tokens[end - 1].line < line)
      continue;
    count = end > open + 2;
    for (std::size_t k = open + 1; k + 1 < end; k = tokens.opens(k) ? tokens.after_group(k) : k + 1)
      count += tokens.is(k, ",");
  }
  return count;
}

std::string written_type(std::string type) {
  type = type.substr(0, type.find(" {aka"));
  while (!type.empty() && type.back() == '&')
    type.pop_back();
  type = without(type, "course_cpu::same_as_t<");
  if (std::count(type.begin(), type.end(), '>') > std::count(type.begin(), type.end(), '<'))
    type.pop_back();
  type = without(type, "course_cpu::");
  const std::size_t star = type.find_first_of("*&");
  if (star != type.npos && star > 0 && type[star - 1] != ' ' && type.find('(') == type.npos)
    type.insert(star, " ");
  return type;
}

std::string joined(const Words &words) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : ", ") + word;
  return text;
}

} // namespace course_cpu::nvcc
