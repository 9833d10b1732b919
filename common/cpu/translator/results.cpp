// Marks the results of CUDA's functions that a program drops.
#include "passes.hpp"

#include <cstddef>
#include <string>

namespace course_cpu::translator {
namespace {

class DroppedResults : Pass {
public:
  explicit DroppedResults(const Pass &pass) : Pass(pass) {}

  void run() {
    for (std::size_t i = 1; i < tokens_.size(); ++i)
      if (tokens_.is(i, "for"))
        i = tokens_.after_group(i + 1) - 1; // its semicolons end no statements
      else if (functions_.side(i) != Side::none && tokens_.begins_statement(i))
        mark(i);
  }

private:
  void mark(std::size_t begin) {
    std::size_t i = begin;
    if (tokens_.is(i, "::"))
      ++i;
    const bool is_cub = tokens_.is(i, "cub");
    while (is_cub && tokens_.is_name(i) && tokens_.is(i + 1, "::"))
      i += 2;
    const std::string name(tokens_[i].text);
    const bool is_cuda = name.size() > 4 && name.compare(0, 4, "cuda") == 0 && name[4] >= 'A' &&
                         name[4] <= 'Z' && name.substr(name.size() - 2) != "_t";
    const bool is_other =
        declared_.has(name) || tokens_.is_any(i, "cudaGetLastError", "cudaPeekAtLastError");
    if (!(is_cub || (is_cuda && !is_other)) || !tokens_.is(i + 1, "("))
      return;
    const std::size_t end = tokens_.after_group(i + 1);
    if (!tokens_.is(end, ";"))
      return;
    edits_.insert(tokens_[begin].begin, "(");
    edits_.insert(tokens_[end - 1].end(), ", ::course_cpu::result_dropped(\"" + name + "\"))");
  }
};

} // namespace

void mark_dropped_results(const Pass &pass) { DroppedResults(pass).run(); }

} // namespace course_cpu::translator
