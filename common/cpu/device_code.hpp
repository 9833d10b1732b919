// What a file's device code is to others: its functions and variables, and __CUDA_ARCH__ in it.
#pragma once

#include "edits.hpp"
#include "functions.hpp"
#include "lexer.hpp"
#include "token_range.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace course_cpu::translator {

// Without -rdc=true a file's device functions and variables are its own, as with nvcc: another file
// may have others of the same name. The words that say so are as long as those that they replace.
class Ownership {
public:
  Ownership(const Lexed &lexed, const Functions &functions, Edits &edits)
      : tokens_(lexed.code), functions_(functions), edits_(edits) {}

  void run() {
    for (const Function &f : functions_.all())
      if (f.side == Side::device && !f.is_kernel && !f.is_member && !tokens_.is(f.name - 1, "::"))
        own(f.begin, f.name, false);
    for (const Declaration &variables : functions_.variables())
      if (tokens_.is(variables.begin, "extern") && !tokens_.is(variables.begin + 1, "__shared__"))
        need_rdc(variables);
      else
        own(variables.begin, variables.end, true);
  }

private:
  void need_rdc(const Declaration &variables) {
    edits_.replace_lines(tokens_[variables.end].end(), tokens_[variables.end].end(),
                         "\n#ifndef __CUDACC_RDC__" + edits_.place(tokens_[variables.begin].begin) +
                             "#error device variables of another file need nvcc -rdc=true, where "
                             "it compiles and where it links\n#endif");
  }

  void own(std::size_t begin, std::size_t end, bool is_variable) {
    std::size_t word = end;
    bool is_static = false, is_const = false;
    for (std::size_t i = begin; i < end; i = tokens_.opens(i) ? tokens_.after_group(i) : i + 1) {
      if (tokens_.is_any(i, "template", "friend", "using"))
        return;
      if (functions_.says(i, "inline") || functions_.says(i, "__forceinline__") ||
          functions_.says(i, "__inline__") || functions_.says(i, "extern"))
        return;
      is_static |= functions_.says(i, "static");
      is_const |= tokens_.is_any(i, "const", "constexpr");
      if (tokens_.is(i, "__managed__") ||
          (word == end && (functions_.says(i, "__device__") || tokens_.is(i, "__constant__"))))
        word = i;
    }
    // A section has either constants or variables.
    const bool has_section = is_variable && !is_const;
    if (word == end || (is_static && !has_section))
      return;
    if (!tokens_.is_any(word, "__device__", "__constant__", "__managed__")) { // a macro
      if (!is_variable)
        edits_.insert(tokens_[word].begin, "__device_s ");
      return;
    }
    std::string text(tokens_[word].text);
    text.replace(text.size() - 2, 2, !has_section ? "_s" : is_static ? "_w" : "_v");
    edits_.replace(tokens_[word].begin, tokens_[word].end(), text);
  }

  TokenRange tokens_;
  const Functions &functions_;
  Edits &edits_;
};

inline void own_device_code(const Lexed &lexed, const Functions &functions, Edits &edits) {
  Ownership(lexed, functions, edits).run();
}

// Marks each class whose operator() is host code, for course_cpu/callables.h.
inline void mark_host_operators(const Lexed &lexed, const Functions &functions, Edits &edits) {
  const TokenRange tokens(lexed.code);
  std::map<std::size_t, std::size_t> host; // by the class's `{`: its first operator()
  std::set<std::size_t> perhaps_device;    // classes with one that is not certain to be host code
  for (const Function &f : functions.all()) {
    if (!f.is_member || !tokens.is(f.name, "operator") || !tokens.is(f.name + 1, "("))
      continue;
    const std::size_t brace = tokens.enclosing(f.begin);
    if (f.may_be_device)
      perhaps_device.insert(brace);
    else
      host.emplace(brace, tokens[f.begin].begin);
  }
  for (const auto &[brace, at] : host)
    if (perhaps_device.count(brace) == 0)
      edits.replace_lines(at, at, "using course_cpu_host_operator = void;");
}

// In the bodies of device functions __CUDA_ARCH__ is defined, if the file names it. The body of a
// function for both sides that has an #if about it stands twice, with it for kernels, without it
// for the host. Outside of functions it is so for an #if around device functions only, which nvcc
// would compile for the device.
class Architecture {
public:
  Architecture(const Lexed &lexed, const Functions &functions, Edits &edits)
      : lexed_(lexed), functions_(functions), edits_(edits) {}

  void run() {
    if (!names_it(lexed_.code) &&
        !std::any_of(lexed_.directives.begin(), lexed_.directives.end(), names_it))
      return;
    for (const Function &f : functions_.all())
      if (f.side == Side::both)
        give_both(f);
    for (const std::size_t i : functions_.device_begins())
      if (!is_repeated(lexed_.code[i].begin))
        edits_.replace_lines(lexed_.code[i].end(), lexed_.code[i].end(),
                             "\n#define __CUDA_ARCH__ COURSE_CPU_ARCHITECTURE");
    for (const std::size_t i : functions_.device_ends())
      if (!is_repeated(lexed_.code[i].begin))
        edits_.replace_lines(lexed_.code[i].begin, lexed_.code[i].begin, "\n#undef __CUDA_ARCH__");
    for (auto open = lexed_.directives.begin(); open != lexed_.directives.end(); ++open)
      if (open->front().text.substr(0, 2) == "if")
        decide(open);
  }

private:
  using Directive = std::vector<Tokens>::const_iterator;

  static bool is_name(const Token &token) { return token.text == "__CUDA_ARCH__"; }
  static bool names_it(const Tokens &tokens) {
    return std::any_of(tokens.begin(), tokens.end(), is_name);
  }

  void give_both(const Function &f) {
    const TokenRange tokens(lexed_.code);
    const std::size_t close = tokens.is(f.body, "{") ? tokens.after_group(f.body) - 1 : f.body;
    const std::size_t begin = tokens[f.body].end(), end = tokens[close].begin;
    const auto depends = [&](const Tokens &directive) {
      return directive.front().begin > begin && directive.front().begin < end &&
             directive.front().text != "define" && names_it(directive);
    };
    if (is_repeated(begin) || // a member of a local class
        std::none_of(lexed_.directives.begin(), lexed_.directives.end(), depends) ||
        !can_stand_twice(f, close) || !branches_are_whole(f.body, close))
      return;
    edits_.repeat(begin, end,
                  "\nif (::course_cpu::in_kernel()) {"
                  "\n#define __CUDA_ARCH__ COURSE_CPU_ARCHITECTURE",
                  "\n#undef __CUDA_ARCH__\n} else {", "\n}");
    repeated_.emplace_back(begin, end);
  }

  bool is_repeated(std::size_t place) const {
    return std::any_of(repeated_.begin(), repeated_.end(), [place](const auto &range) {
      return range.first <= place && place < range.second;
    });
  }

  // What asks at run time is no constant; a label stands once. The instructions of a GPU, in asm,
  // are no processor's.
  bool can_stand_twice(const Function &f, std::size_t close) const {
    const TokenRange tokens(lexed_.code);
    for (std::size_t i = f.begin; i < f.body; ++i)
      if (tokens.is(i, "constexpr"))
        return false;
    for (std::size_t i = f.body + 1; i < close; ++i)
      if (tokens.is_any(i, "goto", "asm", "__asm__", "__asm") ||
          (tokens.is(i, ":") && tokens.is_name(i - 1) && tokens.is_any(i - 2, ";", "{", "}") &&
           !tokens.is_any(i - 1, "default", "public", "private", "protected")))
        return false;
    return true;
  }

  // Whether the #ifs of the body end in it, each branch closes the braces that it opens, and none
  // defines a macro, which would be defined twice.
  bool branches_are_whole(std::size_t brace, std::size_t close) const {
    const TokenRange tokens(lexed_.code);
    std::vector<int> open; // braces, for each #if that has begun
    std::size_t i = brace;
    for (const Tokens &directive : lexed_.directives) {
      const std::size_t at = directive.front().begin;
      if (at < tokens[brace].begin || at > tokens[close].begin)
        continue;
      for (; i < close && tokens[i].begin < at; ++i)
        if (!open.empty() && (open.back() += tokens.is(i, "{") - tokens.is(i, "}")) < 0)
          return false;
      const std::string_view name = directive.front().text;
      if (name == "define" || name == "undef")
        return false;
      if (name.substr(0, 2) == "if") {
        open.push_back(0);
      } else if (name == "endif" || name.substr(0, 2) == "el") {
        if (open.empty() || open.back() != 0)
          return false;
        if (name == "endif")
          open.pop_back();
      }
    }
    return open.empty();
  }

  void decide(Directive open) {
    std::vector<Directive> branches{open};
    auto close = open;
    for (int depth = 1; depth > 0;) {
      if (++close == lexed_.directives.end())
        return;
      const std::string_view word = close->front().text;
      depth += word.substr(0, 2) == "if" ? 1 : word == "endif" ? -1 : 0;
      if (depth == 1 && word == "elif")
        branches.push_back(close);
    }
    if (!holds_device_functions_only(open->front().begin, close->front().begin))
      return;
    for (const Directive branch : branches)
      for (const Token &token : *branch)
        if (is_name(token))
          edits_.replace(token.begin, token.end(), "COURSE_CPU_ARCHITECTURE");
  }

  // Between these places, which are outside of functions.
  bool holds_device_functions_only(std::size_t begin, std::size_t end) const {
    bool holds_one = false;
    for (const Function &f : functions_.all()) {
      const std::size_t first = lexed_.code[f.begin].begin;
      if (first < begin && lexed_.code[f.body].begin > begin)
        return false;
      if (first < begin || first > end)
        continue;
      if (f.side != Side::device)
        return false;
      holds_one = true;
    }
    return holds_one;
  }

  const Lexed &lexed_;
  const Functions &functions_;
  Edits &edits_;
  std::vector<std::pair<std::size_t, std::size_t>> repeated_; // from which byte to which
};

inline void define_architecture(const Lexed &lexed, const Functions &functions, Edits &edits) {
  Architecture(lexed, functions, edits).run();
}

// Whether it may be a declaration of an array of a size that is not constant, T name[n].
inline bool may_be_variable_array(const TokenRange &tokens, std::size_t i) {
  if (!tokens.is_name(i) || !tokens.is_name(i - 1) || !tokens.is(i + 1, "["))
    return false;
  for (; tokens.is(i + 1, "["); i = tokens.after_group(i + 1) - 1)
    for (std::size_t k = i + 2; k < tokens.size() && !tokens.is(k, "]"); ++k)
      if (tokens.is_name(k) && !Functions::is_upper(tokens[k].text))
        return true;
  return false;
}

// Host compilers have such arrays, device code has none: in functions that may hold one the
// compiler is asked.
inline void refuse_variable_arrays(const Lexed &lexed, const Functions &functions, Edits &edits) {
  const TokenRange tokens(lexed.code);
  for (const Function &f : functions.all()) {
    if (!tokens.is(f.body, "{") || (f.side != Side::device && f.side != Side::both))
      continue;
    const std::size_t end = tokens.after_group(f.body) - 1;
    for (std::size_t i = f.body + 2; i < end; ++i) {
      if (tokens.is(i, "__shared__")) // the compiler refuses these anyway
        while (i < end && !tokens.is(i, ";"))
          ++i;
      if (!may_be_variable_array(tokens, i))
        continue;
      edits.replace_lines(tokens[f.body].end(), tokens[f.body].end(),
                          "\n#pragma GCC diagnostic push\n#pragma GCC diagnostic error \"-Wvla\"");
      edits.replace_lines(tokens[end].begin, tokens[end].begin, "\n#pragma GCC diagnostic pop");
      break;
    }
  }
}

} // namespace course_cpu::translator
