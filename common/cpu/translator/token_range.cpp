// What stands at a place, and where a group of tokens ends.
#include "token_range.hpp"

namespace course_cpu::translator {

std::size_t TokenRange::after_group(std::size_t open) const {
  std::size_t depth = 0;
  for (std::size_t i = open; i < size(); ++i) {
    depth += opens(i);
    depth -= closes(i);
    if (depth == 0)
      return i + 1;
  }
  return size();
}

std::size_t TokenRange::group_begin(std::size_t close) const {
  std::size_t depth = 0;
  for (std::size_t i = close; i > 0; --i) {
    depth += closes(i);
    depth -= opens(i);
    if (depth == 0)
      return i;
  }
  return 0;
}

std::size_t TokenRange::enclosing(std::size_t i) const {
  std::size_t open = i - 1;
  while (open > 0 && !opens(open))
    open = closes(open) ? group_begin(open) - 1 : open - 1;
  return open;
}

bool TokenRange::begins_statement(std::size_t i) const {
  if (is_any(i - 1, ";", "{", "}", "else", "do"))
    return true;
  if (is(i - 1, ":")) { // of a label, and not of `a ? b : c` or of a range
    std::size_t label = i - 1;
    while (label > 0 && !is_any(label - 1, ";", "{", "}", ":", "?"))
      --label;
    return is_any(label, "case", "default");
  }
  if (!is(i - 1, ")"))
    return false;
  const std::size_t open = group_begin(i - 1);
  return open > 0 && is_any(open - 1, "if", "for", "while", "constexpr");
}

bool TokenRange::is_unevaluated(std::size_t i) const {
  std::size_t k = i - 1;
  while (is(k, "*"))
    --k;
  if (is(k, "sizeof"))
    return true;
  for (k = i - 1; k > 0 && k < size() && !is_any(k, ";", "{", "}"); --k)
    if (closes(k))
      k = group_begin(k);
    else if (is(k, "(") && is_any(k - 1, "sizeof", "decltype", "alignof"))
      return true;
  return false;
}

std::size_t TokenRange::after_template_arguments(std::size_t open) const {
  std::size_t depth = 0;
  for (std::size_t i = open; i < size();) {
    if (opens(i)) {
      i = after_group(i);
      continue;
    }
    depth += is(i, "<");
    depth -= is(i, ">");
    ++i;
    if (depth == 0)
      return i;
  }
  return size();
}

std::size_t TokenRange::template_begin(std::size_t close) const {
  std::size_t depth = 0;
  for (std::size_t i = close; i > 0 && !opens(i) && !is(i, ";"); --i) {
    if (closes(i))
      i = group_begin(i);
    else if (is(i, ">"))
      ++depth;
    else if (is(i, "<") && --depth == 0) {
      // In k<N < 4> the last `<` is a comparison: another `<` stands before the name.
      if (is_name(i - 1) && !(i >= 2 && is(i - 2, "<")))
        return i - 1;
      ++depth;
    }
    if (i == 0)
      break;
  }
  return close;
}

std::string TokenRange::joined(std::size_t begin, std::size_t end) const {
  std::string text;
  for (std::size_t i = begin; i < end; ++i) {
    if (i > begin && !adjacent(i - 1))
      text += ' ';
    text += tokens_[i].text;
  }
  return text;
}

bool TokenRange::is_name(std::size_t i) const {
  return i < size() && tokens_[i].kind == Kind::identifier &&
         !is_any(i, "return", "else", "do", "case", "if", "for", "while", "switch", "throw", "not",
                 "and", "or", "co_return", "co_yield", "co_await", "template");
}

bool TokenRange::opens_launch(std::size_t i) const {
  return i < size() && tokens_[i].kind == Kind::punctuation && tokens_[i].text.size() > 2 &&
         tokens_[i].text.substr(0, 2) == "<<" && tokens_[i].text.back() == '<';
}

} // namespace course_cpu::translator
