#include "common/grader/commands/blind_spots.hpp"

#include "common/cpu/translator/lexer.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace course {
namespace {

using namespace course_cpu::translator;

bool begins(std::string_view text, std::string_view with) {
  return text.substr(0, with.size()) == with;
}

// The preprocessed lines that come from the source itself, and the lines there.
struct Own {
  std::string text;
  std::vector<int> lines;
  int intrinsics = 0; // the line that includes intrinsics; 0: none
};

Own own_lines(std::istream &preprocessed, const std::string &source) {
  static const std::regex mark("# (\\d+) \"(.*)\"([ 1234]*)"),
      intrinsics(".*(intrin|arm_neon|arm_sve|arm_acle)\\.h");
  Own own;
  bool is_own = false;
  int number = 0;
  for (std::string line; std::getline(preprocessed, line); ++number) {
    if (std::smatch match; line[0] == '#' && std::regex_match(line, match, mark)) {
      if (is_own && match[3].str().find('1') != std::string::npos &&
          std::regex_match(match[2].str(), intrinsics))
        own.intrinsics = number;
      is_own = std::regex_replace(match[2].str(), std::regex("\\\\(.)"), "$1") == source;
      number = std::stoi(match[1]) - 1;
    } else if (is_own) {
      own.text += line + "\n";
      own.lines.push_back(number);
    }
  }
  return own;
}

// The line of a directive that renumbers lines, or whose name follows a comment; 0: there is none.
// One in a comment counts, too: what a comment is, the compiler alone knows for certain.
int renumbering(const std::string &source) {
  static const std::regex directive(R"((^|\*/)\s*(#|%:)\s*(/\*|line|\d))");
  std::istringstream lines(source);
  std::string line; // with those that a backslash joins to it
  int first = 1, number = 0;
  for (std::string part; std::getline(lines, part);) {
    ++number;
    const std::size_t last = part.find_last_not_of(" \t\r\v\f");
    const bool goes_on = last != part.npos && part[last] == '\\';
    line += goes_on ? part.substr(0, last) : part;
    if (goes_on)
      continue;
    if (std::regex_search(line, directive))
      return first;
    line.clear();
    first = number + 1;
  }
  return std::regex_search(line, directive) ? first : 0;
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

// Inline assembly, or no instrumentation.
bool is_unseen(std::string_view name) {
  return is_one_of(name, {"asm", "__asm", "__asm__"}) || name.find("no_sanitize") != name.npos ||
         name.find("no_instrument") != name.npos;
}

// Vectors, and functions that copy memory and are not looked into.
bool is_uncounted(std::string_view name) {
  for (const std::string_view prefix :
       {"__builtin_ia32_", "__builtin_mem", "__builtin_wmem", "__builtin___mem", "__builtin_str",
        "__builtin_stp", "__builtin_bcopy", "_mm_", "_mm256_", "_mm512_", "__m128", "__m256",
        "__m512"})
    if (begins(name, prefix))
      return true;
  return is_one_of(name, {"vector_size", "__vector_size__", "wmemcpy", "wmemmove", "wmempcpy",
                          "mempcpy", "__mempcpy", "memccpy", "bcopy", "swab"});
}

// target("avx2"), as an attribute or in a pragma.
bool is_target(const Tokens &tokens, std::size_t i) {
  if (!is_one_of(tokens[i].text, {"target", "__target__", "target_clones", "__target_clones__"}))
    return false;
  std::size_t next = i + 1;
  while (next < tokens.size() && tokens[next].text == "(")
    ++next;
  return (i == 2 && tokens[0].text == "pragma") ||
         (next > i + 1 && next < tokens.size() && tokens[next].kind == Kind::literal);
}

} // namespace

std::string blind_spot(const std::string &source, bool counted, std::istream &preprocessed) {
  const auto refuse = [&](int line, const std::string &what) {
    return source + ":" + std::to_string(line) + ": error: " + what +
           " here, because the loads and stores of kernels are " +
           (counted ? "counted" : "checked");
  };
  std::ifstream file(source);
  if (!file)
    throw std::runtime_error("cannot read " + source);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (const int line = renumbering(text))
    return refuse(line,
                  "a line that begins with #line or # and a number, also in a comment, is not "
                  "allowed");
  const Own own = own_lines(preprocessed, source);
  if (counted && own.intrinsics)
    return refuse(own.intrinsics, "intrinsics are not allowed");
  Lexed lexed = lex(own.text);
  lexed.directives.push_back(lexed.code);
  for (const Tokens &tokens : lexed.directives)
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const Token &token = tokens[i];
      const int line = own.lines[token.line - 1];
      if (token.kind != Kind::identifier)
        continue;
      if (is_unseen(token.text))
        return refuse(line, "inline assembly and no_sanitize are not allowed");
      if (counted && is_uncounted(token.text))
        return refuse(line, std::string(token.text) + " is not allowed");
      if (counted && is_target(tokens, i))
        return refuse(line, "code for another processor (target) is not allowed");
    }
  return "";
}

} // namespace course
