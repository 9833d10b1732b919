// Parses the signatures of functions in messages and sources.
#include "signature.hpp"

#include "translator/token_range.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

using namespace course_cpu::translator;

namespace course_cpu::nvcc {
namespace {

// The parts between commas of the tokens from `begin` to `end`.
Words parts(const TokenRange &tokens, std::size_t begin, std::size_t end) {
  Words words;
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t first = i;
    while (i < end && !tokens.is(i, ","))
      i = tokens.is(i, "<") ? tokens.after_template_arguments(i) : tokens.next(i);
    const std::string word = tokens.joined(first, std::min(i, end));
    if (word != "void" && word.find("SourceLine") == word.npos) // the backend's: the call's line
      words.push_back(word);
  }
  return words;
}

} // namespace

Source::Source(const std::string &file) {
  std::ifstream stream(file, std::ios::binary);
  text.assign(std::istreambuf_iterator<char>(stream), {});
  tokens = lex(text).code;
}

Signature signature_of(std::string_view text) {
  const Tokens code = lex(text).code;
  const TokenRange tokens(code);
  std::size_t open = 0;
  while (open < tokens.size() && !tokens.is(open, "("))
    open = tokens.is(open, "<") ? tokens.after_template_arguments(open) : open + 1;
  if (open >= tokens.size())
    return {};
  std::size_t begin = open, end = open;
  if (tokens.is(open - 1, ">")) // template arguments of the function
    begin = tokens.template_begin(open - 1), end = begin + 1;
  else if (open > 0)
    --begin;
  while (begin > 1 && tokens.is(begin - 1, "::"))
    begin -= 2;
  return {tokens.joined(begin, end), parts(tokens, open + 1, tokens.after_group(open) - 1)};
}

Words declared_parameters(const std::string &file, int line, const std::string &name) {
  const Source source(file);
  const TokenRange tokens(source.tokens);
  for (std::size_t i = 0; i < tokens.size() && tokens[i].line <= line + 3; ++i)
    if (tokens[i].line >= line && tokens.is(i, name) && tokens.is(i + 1, "("))
      return parts(tokens, i + 2, tokens.after_group(i + 1) - 1);
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
