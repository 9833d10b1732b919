// Kernels whose address is taken: their parameters, for the runtime.
#include "passes.hpp"

#include <cstddef>
#include <string>

namespace course_cpu::translator {
namespace {

class KernelAddresses : Pass {
public:
  explicit KernelAddresses(const Pass &pass) : Pass(pass) {}

  void run() {
    for (std::size_t i = 0; i < tokens_.size(); ++i)
      if (tokens_.is(i, "("))
        in_cast(i);
      else if (tokens_.is(i, "reinterpret_cast"))
        in_reinterpret_cast(i);
      else if (tokens_.is_any(i, "cudaLaunchKernel", "cudaLaunchCooperativeKernel") &&
               tokens_.is(i + 1, "("))
        in_launch(i + 2);
  }

private:
  // (void *)kernel, (const void *)&kernel<float>
  void in_cast(std::size_t open) {
    const std::size_t close = after_void_pointer(open + 1);
    if (!tokens_.is(close, ")"))
      return;
    const std::size_t kernel = close + 1 + tokens_.is(close + 1, "&"), end = kernel_end(kernel);
    if (end == kernel || tokens_.is(end, "(") || tokens_.opens_launch(end))
      return;
    edits_.replace(tokens_[open].begin, tokens_[kernel].begin, call(kernel, end));
    edits_.insert(tokens_[end - 1].end(), ")");
  }

  // reinterpret_cast<void *>(kernel)
  void in_reinterpret_cast(std::size_t word) {
    const std::size_t close = after_void_pointer(word + 2);
    if (!tokens_.is(word + 1, "<") || !tokens_.is(close, ">") || !tokens_.is(close + 1, "("))
      return;
    const std::size_t kernel = close + 2 + tokens_.is(close + 2, "&"), end = kernel_end(kernel);
    if (end > kernel && tokens_.is(end, ")"))
      edits_.replace(tokens_[word].begin, tokens_[kernel].begin, call(kernel, end));
  }

  // cudaLaunchKernel(kernel, ...
  void in_launch(std::size_t argument) {
    const std::size_t kernel = argument + tokens_.is(argument, "&"), end = kernel_end(kernel);
    if (end == kernel || !tokens_.is(end, ","))
      return;
    edits_.replace(tokens_[argument].begin, tokens_[kernel].begin, call(kernel, end));
    edits_.insert(tokens_[end - 1].end(), ")");
  }

  std::string call(std::size_t kernel, std::size_t end) const {
    return "::course_cpu::kernel_address(" + string_literal(tokens_.joined(kernel, end)) + ", ";
  }

  // The index after `void *` or `const void *`; `begin` if none of them stands there.
  std::size_t after_void_pointer(std::size_t begin) const {
    std::size_t i = begin + tokens_.is(begin, "const");
    if (!tokens_.is(i++, "void"))
      return begin;
    i += tokens_.is(i, "const");
    return tokens_.is(i, "*") ? i + 1 : begin;
  }

  // The index after a kernel's name, a::k<float>, that begins there; `begin` if there is none.
  std::size_t kernel_end(std::size_t begin) const {
    std::size_t i = begin + tokens_.is(begin, "::");
    while (tokens_.is_name(i) && tokens_.is(i + 1, "::"))
      i += 2;
    if (!tokens_.is_name(i))
      return begin;
    if (declared_.kernels.count(tokens_[i].text) == 0)
      return begin;
    return tokens_.is(i + 1, "<") ? tokens_.after_template_arguments(i + 1) : i + 1;
  }
};

} // namespace

void pass_kernel_parameters(const Pass &pass) { KernelAddresses(pass).run(); }

} // namespace course_cpu::translator
