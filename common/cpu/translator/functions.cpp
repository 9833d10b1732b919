// Finds the functions of a file, and their execution spaces.
#include "functions.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace course_cpu::translator {

void find_specifiers(const Lexed &lexed, Specifiers &specifiers) {
  for (const Tokens &directive : lexed.directives) {
    const TokenRange tokens(directive);
    if (!tokens.is(0, "define") || tokens.size() < 3 || (tokens.is(2, "(") && tokens.adjacent(1)))
      continue;
    std::vector<std::string> words;
    for (std::size_t i = 2; i < tokens.size(); ++i) {
      words.emplace_back(tokens[i].text);
      if (const auto known = specifiers.find(tokens[i].text); known != specifiers.end())
        words.insert(words.end(), known->second.begin(), known->second.end());
    }
    if (std::any_of(words.begin(), words.end(), [](const std::string &word) {
          return word == "__device__" || word == "__global__" || word == "__host__";
        })) {
      std::vector<std::string> &all = specifiers[std::string(tokens[1].text)];
      all.insert(all.end(), words.begin(), words.end());
    }
  }
}

// Reads the tokens once, from the first to the last, and keeps the scopes that are open.
class Functions::Finder {
public:
  Finder(const Lexed &lexed, Functions &found)
      : lexed_(lexed), tokens_(lexed.code), found_(found) {}

  // Each branch of an #if begins with the scopes that were open before it.
  void run() {
    std::vector<Level> levels{{Scope::names, Side::none}};
    std::vector<std::pair<std::vector<Level>, std::size_t>> saved; // and the token after the #if
    auto directive = lexed_.directives.begin();
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      for (; directive != lexed_.directives.end() && directive->front().begin < tokens_[i].begin;
           ++directive) {
        const std::string_view name = directive->front().text;
        if (name.substr(0, 2) == "if")
          saved.emplace_back(levels, i);
        else if (name.substr(0, 2) == "el" && !saved.empty()) {
          levels = saved.back().first;
          if (levels.back().start == saved.back().second) // a declaration begins in each branch
            levels.back().start = i;
        } else if (name == "endif" && !saved.empty())
          saved.pop_back();
      }
      while (tokens_.closes(i) && is_skipped(levels, tokens_[i].text[0])) {
        found_.balanced_ = false;
        levels.pop_back();
      }
      if (tokens_.closes(i) && levels.back().close == tokens_[i].text[0]) {
        if (levels.back().opens_device)
          found_.device_ends_.push_back(i);
        const Scope closed = levels.back().scope;
        levels.pop_back();
        if (closed != Scope::bracket && ends_declaration(closed, i))
          levels.back().start = i + 1;
      } else if (tokens_.closes(i)) {
        found_.balanced_ = false;
      }
      found_.side_[i] = levels.back().side;
      found_.in_brackets_[i] = std::any_of(levels.begin(), levels.end(), [](const Level &level) {
        return level.scope == Scope::bracket;
      });
      if (tokens_.opens(i)) {
        levels.push_back(opened(levels.back(), i));
        levels.back().close = tokens_.is(i, "(") ? ')' : tokens_.is(i, "[") ? ']' : '}';
        if (levels.back().opens_device)
          found_.device_begins_.push_back(i);
      } else if (tokens_.is(i, ";") ||
                 (tokens_.is(i, ":") && tokens_.is_any(i - 1, "public", "private", "protected"))) {
        if (levels.back().scope == Scope::names || levels.back().scope == Scope::members)
          declares(levels.back(), i);
        levels.back().start = i + 1;
      }
    }
    found_.balanced_ &= levels.size() == 1;
  }

private:
  enum class Scope : char { names, members, statements, local_members, bracket };

  struct Level {
    Scope scope;
    Side side;
    std::size_t start = 0; // the first token of the declaration or statement that is being read
    bool opens_device = false;
    char close = '\0'; // the bracket that ends it
  };

  // True if the bracket closes an outer level: the innermost one has no end.
  static bool is_skipped(const std::vector<Level> &levels, char close) {
    return levels.back().close != close &&
           std::any_of(levels.begin(), levels.end(),
                       [close](const Level &level) { return level.close == close; });
  }

  // Behind the `}` of a class or a variable comes the rest of the declaration, up to a `;`.
  bool ends_declaration(Scope closed, std::size_t brace) const {
    return tokens_.is(brace, "}") && closed != Scope::members && !tokens_.is(brace + 1, ";") &&
           !tokens_.is(brace + 1, ",");
  }

  Level opened(const Level &outer, std::size_t i) {
    if (!tokens_.is(i, "{"))
      return {Scope::bracket, outer.side, i + 1};
    const std::size_t start = outer.start;
    if (outer.scope == Scope::statements || outer.scope == Scope::local_members ||
        outer.scope == Scope::bracket)
      return in_function(outer, i);
    if (tokens_.holds(start, i, "namespace") ||
        (tokens_.is(start, "extern") && i == start + 2)) // "C"
      return {Scope::names, Side::none, i + 1};
    if (tokens_.is(start, "catch") && !found_.functions_.empty()) // int f() try {} catch (...) {
      return {Scope::statements, found_.functions_.back().side, i + 1};
    const Function function = declaration(outer, i);
    if (function.name == i || tokens_.is(i - 1, "=")) // A a(1), b = {2};
      return {is_class(start, i) ? Scope::members : Scope::bracket, Side::none, i + 1};
    if (is_member_initializer(function.parameters, i))
      return {Scope::bracket, Side::none, i + 1};
    found_.functions_.push_back(function);
    return {Scope::statements, function.side, i + 1, function.side == Side::device};
  }

  // A block, a lambda, a local class or a list of values. What says __device__ is on that side.
  Level in_function(const Level &outer, std::size_t brace) {
    std::size_t start = brace;
    while (start > outer.start && !tokens_.is_any(start - 1, ";", "{", "}"))
      --start;
    Side side = outer.side;
    if (says_in(start, brace, "__device__"))
      side = says_in(start, brace, "__host__") ? Side::both : Side::device;
    return {is_class(start, brace) ? Scope::local_members : Scope::statements, side, brace + 1,
            side == Side::device && outer.side != Side::device};
  }

  // True if the brace begins the members of a class. After `=` it begins a value or a lambda.
  bool is_class(std::size_t begin, std::size_t brace) const {
    bool has_keyword = false;
    for (std::size_t i = begin; i < brace; i = tokens_.after(i)) {
      if (tokens_.is_any(i, "=", "enum"))
        return false;
      has_keyword |= tokens_.is_any(i, "class", "struct", "union");
    }
    return has_keyword;
  }

  bool says_in(std::size_t begin, std::size_t end, std::string_view word) const {
    for (std::size_t i = begin; i < end; ++i)
      if (found_.says(i, word))
        return true;
    return false;
  }

  // In `A(int x) : member{x} {` the first brace begins a value.
  bool is_member_initializer(std::size_t parameters, std::size_t brace) const {
    std::size_t behind = tokens_.after_group(parameters);
    if (tokens_.is(behind, "noexcept"))
      behind = tokens_.is(behind + 1, "(") ? tokens_.after_group(behind + 1) : behind + 1;
    return tokens_.is(behind, ":") && (tokens_.is_name(brace - 1) || tokens_.is(brace - 1, ">"));
  }

  void declares(const Level &level, std::size_t semicolon) {
    const Function function = declaration(level, semicolon);
    if (function.name < semicolon)
      found_.functions_.push_back(function);
    else if (level.scope == Scope::names)
      for (std::size_t i = level.start; i < semicolon; i = tokens_.next(i))
        if (tokens_.is_any(i, "__device__", "__constant__", "__managed__")) {
          found_.variables_.push_back({level.start, semicolon});
          break;
        }
  }

  // The function whose declaration begins at level.start and goes to `end`; its name is `end` where
  // it declares none.
  Function declaration(const Level &level, std::size_t end) const {
    Function f{level.start, end, end, end, Side::unknown, false, level.scope == Scope::members,
               true};
    bool on_host = false, on_device = false, is_certain = true;
    std::size_t types = 0;
    std::size_t i = f.begin;
    while (i < end && f.name == end) {
      if (tokens_.is(i, "template") && tokens_.is(i + 1, "<")) {
        i = tokens_.after(i + 1);
      } else if (tokens_.is(i, "<") && tokens_.is_name(i - 1)) {
        i = tokens_.after(i);
        types -= tokens_.is(i, "::");
      } else if (tokens_.is_any(i, "=", "using", "typedef", "static_assert", "asm")) {
        return f;
      } else if (tokens_.is(i, "operator")) { // no name by which it is called
        f.name = i, f.parameters = i + (tokens_.is(i + 1, "(") ? 3 : 2);
        while (f.parameters < end && !tokens_.is(f.parameters, "("))
          ++f.parameters;
        ++types;
      } else if (tokens_.is_any(i, "__launch_bounds__", "__maxnreg__", "__attribute__", "alignas",
                                "__align__", "decltype", "explicit", "requires") &&
                 tokens_.is(i + 1, "(")) {
        types += tokens_.is(i, "decltype");
        i = tokens_.after(i + 1);
      } else if (tokens_.is(i, "(") && is_macro_call(f.begin, i)) {
        i = tokens_.after_group(i);
        is_certain = false;
        --types;
      } else if (tokens_.is(i, "(") &&
                 (is_builtin_type(i - 1) || tokens_.is_any(i + 1, "*", "&"))) {
        ++i; // of a declarator: int (*f)(float), int (f)(float)
      } else if (tokens_.is(i, "(")) {
        if (tokens_.is(i - 1, ")") && tokens_.is_name(i - 2) && tokens_.is(i - 3, "("))
          f.name = i - 2, f.parameters = i;
        else if (i > f.begin && tokens_.is_name(i - 1))
          f.name = i - 1, f.parameters = i;
        else if (i > f.begin && tokens_.is(i - 1, ">") && tokens_.template_begin(i - 1) != i - 1)
          f.name = tokens_.template_begin(i - 1), f.parameters = i; // a specialization
        else
          return f;
      } else if (tokens_.opens(i)) {
        i = tokens_.after(i);
      } else {
        on_host |= found_.says(i, "__host__");
        f.is_kernel |= found_.says(i, "__global__");
        on_device |= found_.says(i, "__device__") || found_.says(i, "__global__");
        if (tokens_.is_name(i) && !is_specifier(i) && !tokens_.is(i + 1, "::")) {
          ++types;
          is_certain &= tokens_.is(i + 1, "(") || !is_upper(tokens_[i].text);
        }
        ++i;
      }
    }
    if (f.name == end)
      return f;
    // The name alone after `int`, `void`, ..., or a type and the name.
    std::size_t expected = 2;
    for (std::size_t k = f.begin; k < f.name; k = tokens_.after(k))
      if (is_builtin_type(k))
        expected = 1;
    is_certain &= types == expected;
    f.may_be_device = on_device || !is_certain;
    f.side = on_device                                 ? on_host ? Side::both : Side::device
             : on_host || (is_certain && !f.is_member) ? Side::host
                                                       : Side::unknown;
    return f;
  }

  // ALIGNED(16) before a declaration: behind a function's parameters stands no other name.
  bool is_macro_call(std::size_t begin, std::size_t open) const {
    const std::size_t behind = tokens_.after_group(open);
    return open > begin && tokens_.is_name(open - 1) && is_upper(tokens_[open - 1].text) &&
           tokens_.is_name(behind) &&
           !tokens_.is_any(behind, "const", "volatile", "noexcept", "override", "final", "try",
                           "requires", "__attribute__");
  }

  bool is_specifier(std::size_t i) const {
    return found_.is_builtin_type(i) || found_.macro(i) ||
           tokens_.is_any(i, "static", "inline", "extern", "const", "volatile", "__global__",
                          "__device__", "__host__", "__forceinline__", "__inline__", "struct",
                          "friend") ||
           tokens_.is_any(i, "__noinline__", "class", "virtual", "__restrict__", "__attribute__",
                          "__launch_bounds__", "enum", "typename", "__maxnreg__");
  }

  bool is_builtin_type(std::size_t i) const {
    return found_.is_builtin_type(i) || found_.says(i, "void");
  }

  const Lexed &lexed_;
  TokenRange tokens_;
  Functions &found_;
};

Functions::Functions(const Lexed &lexed, const Specifiers &specifiers)
    : tokens_(lexed.code), specifiers_(specifiers), side_(tokens_.size()),
      in_brackets_(tokens_.size()) {
  Finder(lexed, *this).run();
}

bool Functions::says(std::size_t i, std::string_view word) const {
  if (tokens_.is(i, word))
    return true;
  const std::vector<std::string> *words = macro(i);
  return words && std::find(words->begin(), words->end(), word) != words->end();
}

bool Functions::is_builtin_type(std::size_t i) const {
  return tokens_.is_any(i, "void", "bool", "char", "short", "int", "long", "float", "double",
                        "unsigned", "signed", "auto");
}

bool Functions::is_upper(std::string_view word) {
  return word.size() > 1 &&
         std::none_of(word.begin(), word.end(), [](unsigned char c) { return std::islower(c); });
}

const std::vector<std::string> *Functions::macro(std::size_t i) const {
  if (specifiers_.empty() || i >= tokens_.size() || tokens_[i].kind != Kind::identifier)
    return nullptr;
  const auto found = specifiers_.find(tokens_[i].text);
  return found == specifiers_.end() ? nullptr : &found->second;
}

} // namespace course_cpu::translator
