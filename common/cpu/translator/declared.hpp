// What the headers declare that were translated before a file.
#pragma once

#include "functions.hpp"
#include "kernels.hpp"
#include "lexer.hpp"
#include "token_range.hpp"

#include <cstddef>
#include <functional>
#include <set>
#include <string>

namespace course_cpu::translator {

struct Declared {
  Kernels kernels;
  Specifiers specifiers;
  std::set<std::string, std::less<>> functions, macros;   // no kernels; those with a name
  std::set<std::string, std::less<>> architecture_macros; // those that name __CUDA_ARCH__
  bool imports_names = false;                             // by `using namespace`

  bool has(std::string_view name) const { return functions.count(name) || macros.count(name); }
};

inline void find_declared(const Lexed &lexed, const Functions &functions, Declared &declared) {
  const TokenRange tokens(lexed.code);
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
    declared.imports_names |= tokens.is(i, "using") && tokens.is(i + 1, "namespace");
  for (const Tokens &directive : lexed.directives)
    if (directive.size() > 1 && directive[0].text == "define")
      declared.macros.emplace(directive[1].text);
  for (const Function &f : functions.all())
    if (!f.is_kernel)
      declared.functions.emplace(tokens[f.name].text);
  KernelFinder(lexed, functions, declared.kernels).run();
}

} // namespace course_cpu::translator
