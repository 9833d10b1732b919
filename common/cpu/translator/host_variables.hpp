// Host variables in device code: C++ sees nothing wrong in them, and nvcc says that they are
// undefined there.
//
// Only what is certain counts: where a name is also declared as something else, in the function, as
// a constant or in a macro, nothing is said; nor of members of classes.
#pragma once

#include "edits.hpp"
#include "functions.hpp"
#include "lexer.hpp"
#include "report.hpp"
#include "sides.hpp"
#include "token_range.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace course_cpu::translator {

class HostVariables {
public:
  HostVariables(const Lexed &lexed, const Functions &functions, Declared &declared, Edits &edits,
                std::vector<Error> &errors)
      : lexed_(lexed), tokens_(lexed.code), functions_(functions), declared_(declared),
        report_(lexed, functions, edits, errors) {}

  void run() {
    for (const Tokens &directive : lexed_.directives)
      if (directive.front().text == "define")
        for (const Token &token : directive)
          declared_.other_names.emplace(token.text);
    for (const Function &f : functions_.all())
      if (!f.is_member)
        find_in_function(f);
    for (const Declaration &declaration : functions_.declarations())
      find_in(declaration);
    for (const Function &f : functions_.all())
      if (tokens_.is(f.body, "{") && !f.is_member && !tokens_.is(f.name - 1, "::") && is_used(f))
        check(f);
  }

private:
  // ---- declarations

  // `dim3 shape(2, 3);` declares a variable.
  void find_in_function(const Function &f) {
    if (tokens_.is(f.body, ";") && f.parameters + 1 < tokens_.size() &&
        (tokens_[f.parameters + 1].kind == Kind::number ||
         tokens_[f.parameters + 1].kind == Kind::literal))
      find_in({f.begin, f.body});
    else
      declared_.other_names.emplace(tokens_[f.name].text);
  }

  void find_in(const Declaration &declaration) {
    const auto [begin, end] = declaration;
    bool is_of_host = true;
    for (std::size_t i = begin; i < end; i = tokens_.opens(i) ? tokens_.after_group(i) : i + 1)
      is_of_host &=
          !(functions_.says(i, "__device__") ||
            tokens_.is_any(i, "__constant__", "__managed__", "__shared__", "template", "using",
                           "typedef", "enum", "operator", "friend", "namespace"));
    std::size_t i = begin;
    bool is_const = false;
    if (!is_of_host || !skip_type(i, end, is_const))
      return forget(begin, end);
    while (i < end) {
      bool is_pointer_const = is_const;
      for (; tokens_.is_any(i, "*", "&", "const", "volatile", "__restrict__"); ++i)
        is_pointer_const = tokens_.is(i, "const") || (is_pointer_const && !tokens_.is(i, "*"));
      const std::size_t name = i++;
      const bool is_array = tokens_.is(i, "[");
      while (tokens_.is(i, "["))
        i = tokens_.after_group(i);
      if (!tokens_.is_name(name) || !tokens_.is_any(i, ",", ";", "=", "{", "("))
        return forget(name, end);
      bool is_computed = false; // when the program starts
      for (; i < end && !tokens_.is(i, ",");
           i = tokens_.opens(i) ? tokens_.after_group(i) : i + 1) {
        if (tokens_.is(i, "<"))
          return forget(name, end);
        is_computed |= tokens_.is(i + 1, "(") && declared_.names.count(tokens_[i].text) == 0 &&
                       tokens_.is_any(i, "acos", "asin", "atan", "sqrt", "sqrtf", "exp", "expf",
                                      "log", "logf", "pow", "powf", "sin", "cos");
      }
      // Device code may have the values of constants, but not arrays of them.
      (!is_pointer_const || (is_computed && !is_array) ? declared_.host_variables
       : is_array                                      ? declared_.host_tables
                                                       : declared_.other_names)
          .emplace(tokens_[name].text);
      ++i;
    }
  }

  // Goes behind the words that all declarators share; false where they may hold a macro.
  bool skip_type(std::size_t &i, std::size_t end, bool &is_const) const {
    bool has_type = false;
    for (; i < end; ++i) {
      const bool is_word =
          tokens_.is_any(i, "static", "extern", "inline", "volatile", "thread_local", "struct",
                         "class", "union", "signed", "const", "constexpr");
      is_const |= tokens_.is_any(i, "const", "constexpr");
      if (is_word)
        continue;
      if (functions_.is_builtin_type(i)) {
        has_type = true;
      } else if (tokens_.is(i, "{")) {
        has_type = true;
        i = tokens_.after_group(i) - 1;
      } else if (!has_type && tokens_.is_name(i)) {
        if (Functions::is_upper(tokens_[i].text) || tokens_.is(i, "texture"))
          return false;
        has_type = !tokens_.is(i + 1, "{");
        while (tokens_.is(i + 1, "::"))
          i += 2;
        if (tokens_.is(i + 1, "<"))
          i = tokens_.after_template_arguments(i + 1) - 1;
      } else {
        return has_type;
      }
    }
    return false;
  }

  void forget(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      if (tokens_.is_name(i))
        declared_.other_names.emplace(tokens_[i].text);
  }

  // ---- uses

  // nvcc compiles the templates that are used.
  bool is_used(const Function &f) const {
    if (!tokens_.is(f.begin, "template"))
      return true;
    for (std::size_t i = 0; i < tokens_.size(); ++i)
      if (i != f.name && tokens_.is(i, tokens_[f.name].text))
        return true;
    return false;
  }

  void check(const Function &f) {
    const std::size_t end = tokens_.after_group(f.body);
    if (includes(tokens_[f.body].begin, tokens_[end - 1].begin))
      return;
    std::set<std::string_view> seen;
    for (std::size_t i = f.body; i < end; ++i) {
      const bool on_device =
          functions_.side(i) == Side::device ||
          (functions_.side(i) == Side::both && !report_.is_conditional(i)); // #ifdef __CUDA_ARCH__
      if (!on_device || tokens_[i].kind != Kind::identifier || !is_of_host(tokens_[i].text) ||
          !is_use(i) || !seen.insert(tokens_[i].text).second || declares(f, i, end))
        continue;
      const std::string name(tokens_[i].text);
      report_.error(i, declared_.host_tables.count(name) > 0
                           ? name + " is a host array, and device code cannot read it: " +
                                 "declare it __constant__ or __device__"
                           : name + " is a host variable, and device code cannot use it: " +
                                 "pass it as an argument, or declare it __device__ or __managed__");
    }
  }

  // Whether another file stands there, which may declare anything.
  bool includes(std::size_t begin, std::size_t end) const {
    return std::any_of(lexed_.directives.begin(), lexed_.directives.end(), [=](const Tokens &d) {
      return d.front().text == "include" && d.front().begin > begin && d.front().begin < end;
    });
  }

  bool is_of_host(std::string_view name) const {
    return (declared_.host_variables.count(name) > 0 || declared_.host_tables.count(name) > 0) &&
           declared_.other_names.count(name) == 0;
  }

  // Not a member, a name of another namespace, in sizeof(...), or a constant's value.
  bool is_use(std::size_t i) const {
    if (tokens_.is_any(i - 1, ".", "->", "goto") || tokens_.is(i + 1, "::"))
      return false;
    if (tokens_.is(i - 1, "::") && tokens_.is_name(i - 2) &&
        declared_.namespaces.count(tokens_[i - 2].text) == 0)
      return false;
    if (declared_.host_tables.count(tokens_[i].text) > 0 && !is_read(i))
      return false;
    return !tokens_.is_unevaluated(i);
  }

  // As in name[i], where i is none of the compiler's constants, but not in `float a[name[i]]`.
  bool is_read(std::size_t i) const {
    if (!tokens_.is(i + 1, "[") || tokens_[i + 2].kind == Kind::number)
      return false;
    for (std::size_t k = i; k > 0 && !tokens_.is_any(k, ";", "{", "}"); --k)
      if (tokens_.is_any(k, "constexpr", "static_assert", "case", "<") ||
          (tokens_.is(k, "[") && tokens_.is_name(k - 1) && tokens_.is_name(k - 2)))
        return false;
    return true;
  }

  // Whether the function declares that name, or may do so.
  bool declares(const Function &f, std::size_t use, std::size_t end) const {
    for (std::size_t i = f.begin; i < end; ++i)
      if (tokens_.is(i, tokens_[use].text) && is_declared(i, f))
        return true;
    return false;
  }

  bool is_declared(std::size_t i, const Function &f) const {
    std::size_t before = i - 1;
    while (tokens_.is_any(before, "*", "&", "const", "__restrict__", "&&"))
      --before;
    const bool has_star = before != i - 1;
    if (tokens_.is_name(before) && !tokens_.is_any(before, "sizeof", "new", "delete", "throw"))
      return !has_star || functions_.is_builtin_type(before) || i < f.body ||
             begins_declaration(before);
    if (tokens_.is(before, ">") && tokens_.template_begin(before) != before)
      return true;
    if (tokens_.is_any(before, ".", "(") && i < f.body) // a pack; (&a)[3]
      return true;
    if (tokens_.is(before, "{"))
      return holds_enum(before);
    if (!tokens_.is_any(before, ",", "["))
      return tokens_.is(i + 1, ":") && tokens_.is_any(i - 1, ";", "}"); // a label
    // In a list of declarators, of enumerators, in auto [a, b], [a = 1], in a macro's arguments.
    for (std::size_t k = before; k > f.begin; --k) {
      if (tokens_.closes(k))
        k = tokens_.group_begin(k);
      else if (tokens_.is(k, ";"))
        return true;
      else if (tokens_.is(k, "["))
        return tokens_.is(i + 1, "=") || tokens_.is_any(k - 1, "auto", "&", "&&");
      else if (tokens_.is(k, "("))
        return tokens_.is_any(k - 1, "for", "]") ||
               (tokens_.is_name(k - 1) && Functions::is_upper(tokens_[k - 1].text));
      else if (tokens_.is(k, "{"))
        return k == f.body || holds_enum(k) || tokens_.begins_statement(k);
    }
    return true;
  }

  bool holds_enum(std::size_t brace) const {
    for (std::size_t k = brace; k > 0 && !tokens_.is_any(k - 1, ";", "{", "}"); --k)
      if (tokens_.is(k - 1, "enum"))
        return true;
    return false;
  }

  // Whether the type before `*` begins a statement, or a parameter of a lambda.
  bool begins_declaration(std::size_t type) const {
    while (tokens_.is(type - 1, "::") || tokens_.is_any(type - 1, "const", "struct", "static"))
      type -= tokens_.is(type - 1, "::") ? 2 : 1;
    if (tokens_.is_any(type - 1, ";", "{", "}"))
      return true;
    std::size_t k = type - 1;
    while (k > 0 && !tokens_.opens(k) && !tokens_.is(k, ";"))
      k = tokens_.closes(k) ? tokens_.group_begin(k) - 1 : k - 1;
    return tokens_.is(k, "(") && tokens_.is_any(k - 1, "for", "]");
  }

  const Lexed &lexed_;
  TokenRange tokens_;
  const Functions &functions_;
  Declared &declared_;
  Report report_;
};

} // namespace course_cpu::translator
