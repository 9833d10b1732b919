#include "braces.hpp"

#include "token_range.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace course_cpu::translator {
namespace {

class BraceChecker {
public:
  BraceChecker(const Lexed &lexed, const NestedFunction &nested)
      : tokens_(lexed.code), nested_(nested) {}

  Error error() const {
    const auto name = [this](std::size_t i) { return std::string(tokens_[i].text); };
    return {tokens_[nested_.name].line, name(nested_.name) + " begins inside " +
                                            name(nested_.outer.name) +
                                            ": a } is missing before it, for the { in line " +
                                            std::to_string(tokens_[unclosed()].line)};
  }

private:
  // The `{` that has no end, as far as the indentation tells: its line is indented more than the
  // line of the `}` that closes it. Else that of the function.
  std::size_t unclosed() const {
    std::vector<std::size_t> open;
    for (std::size_t i = nested_.outer.body; i < nested_.brace; ++i)
      if (tokens_.is(i, "{")) {
        open.push_back(i);
      } else if (tokens_.is(i, "}") && !open.empty()) {
        if (line_begin(i) == i && indentation(i) < indentation(open.back()))
          return open.back();
        open.pop_back();
      }
    return open.empty() ? nested_.outer.body : open.back();
  }

  std::size_t line_begin(std::size_t i) const {
    while (i > 0 && tokens_[i - 1].line == tokens_[i].line)
      --i;
    return i;
  }

  // Of the token's line. Its text is a part of the file's.
  std::size_t indentation(std::size_t i) const {
    const Token &first = tokens_[line_begin(i)];
    const char *const line = first.text.data();
    std::size_t blanks = 0;
    while (blanks < first.begin && (line[-1 - static_cast<std::ptrdiff_t>(blanks)] == ' ' ||
                                    line[-1 - static_cast<std::ptrdiff_t>(blanks)] == '\t'))
      ++blanks;
    return blanks;
  }

  TokenRange tokens_;
  const NestedFunction &nested_;
};

} // namespace

Error missing_brace(const Lexed &lexed, const NestedFunction &nested) {
  return BraceChecker(lexed, nested).error();
}

} // namespace course_cpu::translator
