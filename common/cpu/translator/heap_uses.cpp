// malloc, free, new and delete in device code.
#include "passes.hpp"

#include <cstddef>
#include <string>

namespace course_cpu::translator {
namespace {

class HeapUses : Pass {
public:
  explicit HeapUses(const Pass &pass) : Pass(pass) {}

  void run() {
    for (std::size_t i = 0; i < tokens_.size(); ++i)
      if (is_on_device(functions_.side(i)))
        rewrite(i);
    for (const Function &f : functions_.all()) // values that a constructor gives to members
      if (is_on_device(f.side))
        for (std::size_t i = tokens_.after_group(f.parameters); i < f.body; ++i)
          if (!is_on_device(functions_.side(i)))
            rewrite(i);
  }

private:
  static bool is_on_device(Side side) { return side == Side::device || side == Side::both; }

  void rewrite(std::size_t i) {
    if (tokens_.is_any(i - 1, "operator", ".", "->") ||
        (tokens_.is(i, "delete") && tokens_.is(i - 1, "="))) // a function that is deleted
      return;
    if (tokens_.is(i, "new") && !tokens_.is(i + 1, "("))
      edits_.insert(tokens_[i].end(), " (::course_cpu::heap)");
    else if (tokens_.is(i, "delete") && tokens_.is(i + 1, "[") && tokens_.is(i + 2, "]"))
      replace(i, i + 3, "heap_delete_array->*");
    else if (tokens_.is(i, "delete"))
      replace(i, i + 1, "heap_delete->*");
    else if (tokens_.is_any(i, "malloc", "free") && tokens_.is(i + 1, "(") &&
             !declared_.has(tokens_[i].text))
      replace(i, i + 1, "heap_" + std::string(tokens_[i].text));
  }

  // With what qualifies the name: std::malloc, ::delete.
  void replace(std::size_t begin, std::size_t end, const std::string &name) {
    if (tokens_.is(begin - 1, "::"))
      begin -= tokens_.is(begin - 2, "std") ? 2 : 1;
    edits_.replace(tokens_[begin].begin, tokens_[end - 1].end(), "::course_cpu::" + name);
  }
};

} // namespace

void redirect_heap_uses(const Pass &pass) { HeapUses(pass).run(); }

} // namespace course_cpu::translator
