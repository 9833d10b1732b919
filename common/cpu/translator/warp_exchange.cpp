#include "passes.hpp"

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

namespace course_cpu::translator {
namespace {

class WarpExchange : Pass {
public:
  explicit WarpExchange(const Pass &pass) : Pass(pass) {}

  void run() {
    for (const Function &f : functions_.all())
      if (f.side == Side::device && tokens_.is(f.body, "{"))
        check(f);
  }

private:
  void check(const Function &f) {
    const std::size_t end = tokens_.after_group(f.body);
    std::set<std::string_view> arrays;
    for (std::size_t i = f.parameters; i < end; ++i) {
      if (tokens_.is_any(i, "__syncwarp", "__syncthreads") && i > f.body && !arrays.empty())
        return;
      if (tokens_.is(i, "volatile") && !(f.is_kernel && i < f.body)) // which is global memory
        arrays.insert(tokens_[declared_name(i)].text);
      if (i > f.body && tokens_.begins_statement(i) && arrays.count(tokens_[i].text) &&
          tokens_.is(i + 1, "[") && reads_other_element(i))
        return warn(i);
    }
  }

  // The name before `[`, `,`, `)`, `=` or `;`.
  std::size_t declared_name(std::size_t i) const {
    while (i + 1 < tokens_.size() && !tokens_.is_any(i + 1, "[", ",", ")", "=", ";"))
      ++i;
    return i;
  }

  bool reads_other_element(std::size_t written) const {
    const std::size_t end = tokens_.after_group(written + 1);
    const std::string element = tokens_.joined(written + 1, end);
    for (std::size_t i = end; i < tokens_.size() && !tokens_.is(i, ";"); ++i)
      if (tokens_.is(i, tokens_[written].text) && tokens_.is(i + 1, "[") &&
          tokens_.joined(i + 1, tokens_.after_group(i + 1)) != element)
        return true;
    return false;
  }

  void warn(std::size_t token) {
    const std::size_t begin = edits_.line_begin(tokens_[token].begin);
    edits_.replace_lines(begin, begin,
                         "#warning the threads of a warp exchange values in " +
                             std::string(tokens_[token].text) +
                             ", and volatile does not order them: write __syncwarp() between a "
                             "write and the read of another thread");
  }
};

} // namespace

void warn_of_warp_exchange(const Pass &pass) { WarpExchange(pass).run(); }

} // namespace course_cpu::translator
