// Reads a declaration that has __shared__.
#include "shared_declaration.hpp"

namespace course_cpu::translator {
namespace {

class SharedReader {
public:
  explicit SharedReader(const TokenRange &tokens) : tokens_(tokens) {}

  SharedDeclaration declaration(std::size_t keyword) const {
    SharedDeclaration d{keyword, keyword + 1, tokens_.size(), {}, {}, false, tokens_.size(), {}};
    while (d.begin > 0 && specifier_begin(d.begin - 1) < d.begin)
      d.begin = specifier_begin(d.begin - 1);
    std::size_t begin = d.type;
    for (std::size_t i = d.begin; i < tokens_.size();) {
      if (tokens_.is_any(i, "extern", "static", "__shared__")) {
        d.is_extern |= tokens_.is(i, "extern");
        d.dropped.push_back(i++);
      } else if (tokens_.is_any(i, "alignas", "__align__", "__attribute__")) {
        const std::size_t end = tokens_.after_group(i + 1);
        if (tokens_.is(i, "alignas") && i > keyword)
          d.alignas_ = {i, end};
        while (i < end)
          d.dropped.push_back(i++);
      } else if (tokens_.closes(i)) {
        break; // no declaration
      } else if (tokens_.is_any(i, ",", ";")) {
        d.declarators.push_back({begin, declared_name(begin, i), i});
        begin = i + 1;
        if (tokens_.is(i, ";")) {
          d.end = i;
          break;
        }
        ++i;
      } else {
        i = tokens_.after(i);
      }
    }
    d.initial_value = initial_value(d);
    return d;
  }

private:
  std::size_t initial_value(const SharedDeclaration &d) const {
    for (std::size_t i = d.type; i < d.end; i = tokens_.next(i))
      if (tokens_.is(i, "=") ||
          (tokens_.is(i, "{") &&
           (tokens_.is(i - 1, "]") || (tokens_.is_name(i - 1) && !names_class(i)))))
        return i;
    return tokens_.size();
  }

  // True if the brace begins a class: `struct {`, `struct Name {`.
  bool names_class(std::size_t brace) const {
    return tokens_.is_any(brace - 1, "struct", "union", "class") ||
           tokens_.is_any(brace - 2, "struct", "union", "class");
  }

  // The first token of the specifier, or of the type, that ends with token `last`; last + 1 if it
  // is none.
  std::size_t specifier_begin(std::size_t last) const {
    if (tokens_.is_name(last) || tokens_.is(last, "::"))
      return last;
    if (tokens_.is(last, ">"))
      return tokens_.template_begin(last) == last ? last + 1 : tokens_.template_begin(last);
    if (tokens_.is(last, ")")) {
      const std::size_t open = tokens_.group_begin(last);
      if (open > 0 && tokens_.is_any(open - 1, "alignas", "__align__", "__attribute__"))
        return open - 1;
    }
    return last + 1;
  }

  // The name in a declarator from token `begin` to token `end`: it stands before [, = or the end.
  std::size_t declared_name(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; i = tokens_.next(i))
      if (tokens_.is_name(i) && (i + 1 == end || tokens_.is_any(i + 1, "[", "=")))
        return i;
    return end;
  }

  const TokenRange &tokens_;
};

} // namespace

SharedDeclaration shared_declaration(const TokenRange &tokens, std::size_t keyword) {
  return SharedReader(tokens).declaration(keyword);
}

} // namespace course_cpu::translator
