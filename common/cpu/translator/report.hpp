// Says at a token what is wrong there.
#pragma once

#include "edits.hpp"
#include "functions.hpp"
#include "lexer.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace course_cpu::translator {

class Report {
public:
  Report(const Lexed &lexed, const Functions &functions, Edits &edits, std::vector<Error> &errors)
      : lexed_(lexed), functions_(functions), edits_(edits), errors_(errors) {}

  // Whether the lines between an #if and its #endif are compiled is the compiler's to know.
  void error(std::size_t token, std::string message) {
    if (!is_conditional(token))
      return errors_.push_back({lexed_.code[token].line, std::move(message)});
    std::size_t at = token;
    while (at > 0 && functions_.in_brackets(at))
      --at;
    const std::size_t begin = lexed_.code[at].begin;
    edits_.replace_lines(begin, begin,
                         edits_.place(lexed_.code[token].begin) + "#error " + message);
  }

  bool is_conditional(std::size_t token) const {
    int depth = 0;
    for (const Tokens &directive : lexed_.directives) {
      if (directive.front().begin > lexed_.code[token].begin)
        break;
      depth += directive.front().text.substr(0, 2) == "if";
      depth -= directive.front().text == "endif";
    }
    return depth > 0;
  }

private:
  const Lexed &lexed_;
  const Functions &functions_;
  Edits &edits_;
  std::vector<Error> &errors_;
};

} // namespace course_cpu::translator
