#include "common/grader/mutation.hpp"

#include "common/grader/holes.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace course {
namespace {

using course_cpu::translator::Kind, course_cpu::translator::lex, course_cpu::translator::Token;

// The lexer leaves most operators in single characters.
Tokens with_whole_operators(const std::string &source) {
  const Tokens single = lex(source).code;
  const std::string_view text = source;
  Tokens whole;
  int launches = 0;
  for (std::size_t i = 0; i < single.size();) {
    Token token = single[i++];
    launches += token.text == "<<<";
    if (token.kind == Kind::punctuation)
      for (const std::string_view longer : {">>>", ">>=", ">>", "==", "!=", "&&", "||", "++", "--",
                                            "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="})
        if (text.substr(token.begin, longer.size()) == longer && (longer != ">>>" || launches)) {
          launches -= longer == ">>>";
          token.text = text.substr(token.begin, longer.size());
          break;
        }
    while (i < single.size() && single[i].begin < token.end())
      ++i;
    whole.push_back(token);
  }
  return whole;
}

// "-first\n-second\n" for the lines of a text.
std::string marked(char mark, const std::string &text) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);)
    if (line.find_first_not_of(' ') != line.npos)
      result += mark + line + "\n";
  return result;
}

} // namespace

Mutation::Mutation(const std::string &source)
    : source_(source), all_(with_whole_operators(source)), tokens(all_) {
  const Source parts = source_of(source, "the solution");
  const auto token_at = [this](std::size_t line) {
    return std::find_if(all_.begin(), all_.end(),
                        [&](const Token &token) { return token.line >= int(line); }) -
           all_.begin();
  };
  for (std::size_t i = 0; i < parts.holes.size(); ++i) {
    const std::size_t first = parts.first_lines[i];
    holes_.emplace_back(token_at(first), token_at(first + parts.holes[i].size()));
  }
}

bool Mutation::in_one_hole(std::size_t begin, std::size_t end) const {
  return begin < end && std::any_of(holes_.begin(), holes_.end(), [&](const auto &hole) {
           return hole.first <= begin && end <= hole.second;
         });
}

std::string Mutation::text(std::size_t begin, std::size_t end) const {
  return source_.substr(all_[begin].begin, all_[end - 1].end() - all_[begin].begin);
}

void Mutation::replace(std::size_t begin, std::size_t end, const std::string &by) {
  if (!in_one_hole(begin, end))
    return;
  const std::size_t first = all_[begin].begin, last = all_[end - 1].end();
  const std::string old = text(begin, end);
  const auto lost =
      std::count(old.begin(), old.end(), '\n') - std::count(by.begin(), by.end(), '\n');
  const std::string words = by + std::string(std::max<std::ptrdiff_t>(0, lost), '\n');
  std::string mutated = source_;
  mutated.replace(first, last - first, words);
  if (mutated == source_ || !seen_.insert(mutated).second)
    return;
  const std::size_t line_begin = source_.rfind('\n', first) + 1; // a hole is not in the first line
  const std::size_t line_end = source_.find('\n', last);
  const std::string before = source_.substr(line_begin, first - line_begin);
  const std::string after = source_.substr(last, line_end - last);
  mutants_.push_back(
      {first,
       {all_[begin].line, marked('-', before + old + after) + marked('+', before + words + after),
        std::move(mutated)}});
}

void Mutation::insert(std::size_t before, const std::string &words) {
  replace(before, before + 1, words + text(before, before + 1));
}

std::size_t Mutation::operand_begin(std::size_t index) const {
  std::size_t i = index;
  while (i > 0) {
    if (tokens.closes(i - 1))
      i = tokens.group_begin(i - 1);
    else if (tokens.opens(i - 1) || tokens.is_any(i - 1, ",", ";", "=", "return", "&&", "||", "?",
                                                  ":", "<<<", "+=", "-=", "|=", "&="))
      break;
    else
      --i;
  }
  return i;
}

std::size_t Mutation::operand_end(std::size_t index) const {
  std::size_t i = index + 1;
  while (i < tokens.size() && !tokens.closes(i) &&
         !tokens.is_any(i, ",", ";", "&&", "||", "?", ":", ">>>"))
    i = tokens.opens(i) ? tokens.after_group(i) : i + 1;
  return i;
}

std::vector<std::pair<std::size_t, std::size_t>> Mutation::arguments(std::size_t open) const {
  std::vector<std::pair<std::size_t, std::size_t>> all;
  std::size_t begin = open + 1, i = begin;
  for (;; i = tokens.opens(i) ? tokens.after_group(i) : i + 1) {
    const bool end = i >= tokens.size() || tokens.closes(i) || tokens.is(i, ">>>");
    if (end || tokens.is(i, ",")) {
      if (begin < i)
        all.emplace_back(begin, i);
      begin = i + 1;
    }
    if (end)
      return all;
  }
}

std::vector<Mutant> Mutation::take() {
  std::stable_sort(mutants_.begin(), mutants_.end(),
                   [](const auto &a, const auto &b) { return a.first < b.first; });
  std::vector<Mutant> all;
  for (auto &[place, mutant] : mutants_)
    all.push_back(std::move(mutant));
  return all;
}

std::vector<Mutant> mutants_of(const std::string &solution) {
  Mutation mutation(solution);
  mutate_expressions(mutation);
  mutate_statements(mutation);
  return mutation.take();
}

} // namespace course
