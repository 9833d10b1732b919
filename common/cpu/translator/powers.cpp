// Warns of ^ where a power is meant.
#include "passes.hpp"

#include <cstddef>
#include <string>

namespace course_cpu::translator {
namespace {

class Powers : Pass {
public:
  explicit Powers(const Pass &pass) : Pass(pass) {}

  void run() {
    for (std::size_t i = 1; i + 2 < tokens_.size(); ++i)
      if (tokens_.is_any(i, "2", "10") && tokens_.is(i + 1, "^") &&
          tokens_[i + 2].kind == Kind::number && tokens_[i + 2].text.find('x') == std::string::npos)
        warn(i);
  }

private:
  void warn(std::size_t token) {
    std::size_t statement = token;
    while (statement > 1 && !tokens_.begins_statement(statement))
      --statement;
    const std::size_t begin = edits_.line_begin(tokens_[statement].begin);
    edits_.replace_lines(begin, begin,
                         "#warning " + tokens_.joined(token, token + 3) +
                             " is no power: ^ is the exclusive or of bits; write 1e9, or "
                             "pow(x, n) from <cmath>");
  }
};

} // namespace

void warn_of_powers(const Pass &pass) { Powers(pass).run(); }

} // namespace course_cpu::translator
