// Member functions and constructors that are called on the side on which they are not: C++ sees
// nothing wrong in them.
//
// Only what is certain counts: members of a class of the file or of its headers, of an object whose
// type the function itself names, all of whose overloads are on the other side.
#pragma once

#include "edits.hpp"
#include "functions.hpp"
#include "lexer.hpp"
#include "report.hpp"
#include "sides.hpp"
#include "token_range.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace course_cpu::translator {

class HostMembers {
public:
  HostMembers(const Lexed &lexed, const Functions &functions, Declared &declared, Edits &edits,
              std::vector<Error> &errors)
      : tokens_(lexed.code), functions_(functions), declared_(declared),
        report_(lexed, functions, edits, errors) {}

  void run() {
    count_classes();
    for (const Function &f : functions_.all())
      if (f.is_member)
        find(f);
      else if (tokens_.is(f.name - 1, "::")) // it may say __device__ there only
        outside(f);
    for (const Function &f : functions_.all())
      if (tokens_.is(f.body, "{") && !f.is_member && !tokens_.is(f.begin, "template"))
        check(f);
  }

private:
  // ---- declarations

  // Those of several name spaces may have one name, and so have specializations.
  void count_classes() {
    for (std::size_t i = 1; i < tokens_.size(); ++i) {
      if (!tokens_.is_any(i - 1, "struct", "class") || !tokens_.is_name(i))
        continue;
      const std::size_t next =
          tokens_.is(i + 1, "<") ? tokens_.after_template_arguments(i + 1) : i + 1;
      if (tokens_.is_any(next, "{", ":", "final"))
        ++declared_.classes[std::string(tokens_[i].text)];
    }
  }

  void find(const Function &f) {
    const std::string type = class_of(f);
    if (type.empty())
      return;
    const bool is_constructor = tokens_.is(f.name, type);
    if (is_constructor && tokens_.is(f.name - 1, "~"))
      return;
    Sides &sides = declared_.members[type][key(f)];
    bool is_certain = is_constructor || !f.may_be_device;
    for (std::size_t i = f.begin; i < f.name; ++i)
      is_certain &= !tokens_.is_any(i, "constexpr", "template", "friend", "using") &&
                    (!is_constructor || tokens_.is_any(i, "explicit", "inline"));
    bool is_defaulted = false;
    for (std::size_t i = tokens_.after_group(f.parameters); i < f.body && !tokens_.is(i, ":"); ++i)
      is_defaulted |= tokens_.is(i, "="); // or deleted, or pure
    if (f.side == Side::device && !is_defaulted)
      sides.device = true;
    else
      (is_certain && !is_defaulted ? sides.host : sides.other) = true;
  }

  void outside(const Function &f) {
    if (f.may_be_device && tokens_.is_name(f.name - 2))
      declared_.members[std::string(tokens_[f.name - 2].text)][key(f)].other |=
          functions_.says(f.begin, "__device__") || functions_.says(f.begin, "__host__") ||
          f.side == Side::device || f.side == Side::both;
  }

  std::string key(const Function &f) const {
    std::string name(tokens_[f.name].text);
    if (name == "operator")
      for (std::size_t i = f.name + 1; i < f.name + 3 && i < tokens_.size(); ++i)
        name += tokens_[i].text;
    return name;
  }

  // The name of the class whose member the function is.
  std::string class_of(const Function &f) const {
    for (std::size_t i = tokens_.enclosing(f.begin); i > 0 && !tokens_.is_any(i - 1, ";", "}", "{");
         --i)
      if (tokens_.is_any(i - 1, "struct", "class") && !tokens_.is_any(i - 2, "<", ",") &&
          (tokens_.is_any(i + 1, "{", ":") || tokens_.is(i + 1, "final")))
        return std::string(tokens_[i].text);
    return "";
  }

  // ---- uses

  void check(const Function &f) {
    const std::size_t end = tokens_.after_group(f.body);
    for (std::size_t i = f.body; i < end; ++i)
      if (tokens_.is_any(i, "using", "typedef", "struct", "class")) // names of its own
        return;
    for (std::size_t i = f.body; i < end; ++i) {
      const Side side = functions_.side(i);
      if ((side != Side::device && side != Side::host) || !tokens_.is_name(i) ||
          tokens_.is_unevaluated(i))
        continue;
      if (tokens_.is_any(i - 1, ".", "->") && tokens_.is(i + 1, "("))
        use(i, type_of(object(i - 2), f, end), std::string(tokens_[i].text));
      else if (tokens_.is(i - 1, "::") && tokens_.is(i + 1, "(") && !tokens_.is(i - 3, "::"))
        use(i, std::string(tokens_[i - 2].text), std::string(tokens_[i].text));
      else if (!tokens_.is_any(i - 1, ".", "->", "::") && !tokens_.is_name(i - 1) &&
               tokens_.is(i + 1, "(") && !is_type(i))
        use(i, type_of(i, f, end), "operator()");
      else if (is_type(i))
        use_constructor(i, f, end);
    }
  }

  bool is_type(std::size_t i) const { return declared_.members.count(tokens_[i].text) > 0; }

  // `P p;`, `P p(1);`, `P p{1};`, `P p[2];`, and `= P(1)`, but no copies.
  void use_constructor(std::size_t i, const Function &f, std::size_t end) {
    const std::string type(tokens_[i].text);
    if (tokens_.is(i - 1, "::"))
      return;
    std::size_t open = i + 1;
    if (tokens_.is_any(i - 1, ";", "{", "}", "const") && tokens_.is_name(i + 1)) {
      open = i + 2;
      if (!tokens_.is_any(open, ";", "(", "{", "["))
        return;
    } else if (!tokens_.is_any(i - 1, "=", "return", "(", ",", "+", "-") ||
               !tokens_.is(open, "(")) {
      return;
    }
    if (!tokens_.is_any(open, "(", "{") || !may_be_copy(open, f, end))
      use(i, type, type);
  }

  // Whether the argument is one that is not certain to be a number.
  bool may_be_copy(std::size_t open, const Function &f, std::size_t end) const {
    bool is_number = true;
    for (std::size_t i = open + 1; i + 1 < tokens_.after_group(open);
         i = tokens_.opens(i) ? tokens_.after_group(i) : i + 1) {
      if (tokens_.is(i, ","))
        return false;
      is_number &= tokens_[i].kind == Kind::number || tokens_.is_any(i, "+", "-", "*", "/", "[") ||
                   (tokens_.is_name(i) && is_of_builtin_type(i, f, end));
    }
    return !is_number;
  }

  bool is_of_builtin_type(std::size_t name, const Function &f, std::size_t end) const {
    for (std::size_t i = f.parameters; i < end; ++i)
      if (tokens_.is(i, tokens_[name].text)) {
        const std::size_t before = i - 1 - (tokens_.is(i - 1, "*") || tokens_.is(i - 1, "&"));
        return functions_.is_builtin_type(before) && !tokens_.is(before, "auto");
      }
    return false;
  }

  void use(std::size_t i, const std::string &type, const std::string &member) {
    const auto known = declared_.members.find(type);
    if (known == declared_.members.end() || declared_.classes[type] != 1)
      return;
    const auto found = known->second.find(member);
    if (found == known->second.end() || found->second.other)
      return;
    const auto &[kernel, device, host, other] = found->second;
    const bool on_device = functions_.side(i) == Side::device;
    const std::string what = member == type ? "a constructor of " + type : type + "::" + member;
    if (on_device && host && !device)
      report_.error(i, what + " is host code, and device code cannot call it: declare it " +
                           "__host__ __device__");
    else if (!on_device && device && !host)
      report_.error(i, what + " is __device__ code, and host code cannot call it: declare it " +
                           "__host__ __device__");
  }

  // The name of the object in `object.member`, `object[i].member`.
  std::size_t object(std::size_t last) const {
    while (tokens_.is(last, "]"))
      last = tokens_.group_begin(last) - 1;
    return last;
  }

  // The class that all declarations of that name in the function name; nothing where one does not.
  std::string type_of(std::size_t object, const Function &f, std::size_t end) const {
    if (!tokens_.is_name(object) || tokens_.is_any(object - 1, ".", "->", "::"))
      return "";
    std::string type;
    for (std::size_t i = f.parameters; i < end; ++i) {
      if (!tokens_.is(i, tokens_[object].text))
        continue;
      std::size_t before = i - 1;
      while (tokens_.is_any(before, "*", "&", "const", "__restrict__"))
        --before;
      if (tokens_.is(before, ">") && tokens_.template_begin(before) != before)
        before = tokens_.template_begin(before);
      if (!tokens_.is_name(before))
        continue;
      const std::string name(tokens_[before].text);
      if (!is_type(before) || tokens_.is(before - 1, "::") || (!type.empty() && type != name))
        return "";
      type = name;
    }
    return type;
  }

  TokenRange tokens_;
  const Functions &functions_;
  Declared &declared_;
  Report report_;
};

} // namespace course_cpu::translator
