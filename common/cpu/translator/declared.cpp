// Collects the names that a file declares.
#include "declared.hpp"

#include "token_range.hpp"

#include <cstddef>

namespace course_cpu::translator {
namespace {

class KernelFinder {
public:
  KernelFinder(const Lexed &lexed, const Functions &functions, Kernels &kernels)
      : tokens_(lexed.code), functions_(functions), kernels_(kernels) {}

  void run() {
    for (const Function &f : functions_.all()) {
      if (!f.is_kernel)
        continue;
      const std::string types = parameter_types(f);
      const auto [known, is_new] = kernels_.try_emplace(std::string(tokens_[f.name].text), types);
      if (!is_new && known->second != types)
        known->second.clear();
    }
    for (const Function &f : functions_.all())
      if (const auto known = kernels_.find(tokens_[f.name].text);
          known != kernels_.end() && !f.is_kernel && !f.is_member && may_hide_kernel(f))
        known->second.clear();
  }

private:
  // True if a kernel of its name is in its namespace, or in another file.
  bool may_hide_kernel(const Function &f) const {
    bool is_elsewhere = true;
    for (const Function &kernel : functions_.all())
      if (kernel.is_kernel && tokens_[kernel.name].text == tokens_[f.name].text) {
        if (namespace_of(kernel) == namespace_of(f))
          return true;
        is_elsewhere = false;
      }
    return is_elsewhere;
  }

  std::string_view namespace_of(const Function &f) const {
    const std::size_t brace = f.begin > 0 ? tokens_.enclosing(f.begin) : 0;
    return brace > 0 ? tokens_[brace - 1].text : std::string_view();
  }

  std::string parameter_types(const Function &f) const {
    if (tokens_.holds(f.begin, f.name, "template"))
      return "";
    const std::size_t end = tokens_.after_group(f.parameters) - 1;
    std::string types = "(";
    for (std::size_t i = f.parameters + 1; i <= end; ++i) {
      std::size_t begin = i;
      for (; i < end && !tokens_.is(i, ",");
           i = tokens_.is(i, "<") ? tokens_.after_template_arguments(i) : tokens_.next(i))
        if (tokens_.is(i, "="))
          return "";
      types += parameter_type(begin, i) + ',';
    }
    return types;
  }

  // Without the parameter's name: the word after another word, `*` or `>`.
  std::string parameter_type(std::size_t begin, std::size_t end) const {
    std::string type;
    for (std::size_t i = begin; i < end; ++i) {
      const bool is_last = i + 1 == end || tokens_.is(i + 1, "[");
      if (is_last && i > begin && tokens_.is_name(i) && !tokens_.is(i - 1, "::") &&
          !functions_.is_builtin_type(i))
        continue;
      type += std::string(tokens_[i].text) + ' ';
    }
    return type;
  }

  TokenRange tokens_;
  const Functions &functions_;
  Kernels &kernels_;
};

} // namespace

void find_declared(const Lexed &lexed, const Functions &functions, Declared &declared) {
  const TokenRange tokens(lexed.code);
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
    declared.imports_names |= tokens.is(i, "using") && tokens.is(i + 1, "namespace");
  for (const Tokens &directive : lexed.directives)
    if (directive.size() > 1 && directive[0].text == "define")
      declared.macros.emplace(directive[1].text);
  for (const Function &f : functions.all())
    if (!f.is_kernel)
      declared.functions.emplace(tokens[f.name].text);
  for (const Function &f : functions.all())
    if (tokens.holds(f.begin, f.name, "friend"))
      declared.friends.insert(tokens.joined(f.name, f.parameters));
  KernelFinder(lexed, functions, declared.kernels).run();
}

} // namespace course_cpu::translator
