#include "common/grader/mutation.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace course {
namespace {

using course_cpu::translator::Kind;

class Statements {
public:
  explicit Statements(Mutation &mutation) : mutation_(mutation), tokens_(mutation.tokens) {}

  void run() {
    for (const auto &[begin, end] : mutation_.holes()) {
      atomics(begin, end);
      block(begin, end, /*top=*/true);
    }
  }

private:
  // Behind the statement that begins at `i`.
  std::size_t after(std::size_t i) const {
    if (i >= tokens_.size() || tokens_.closes(i))
      return i;
    if (tokens_.is(i, "{"))
      return tokens_.after_group(i);
    if (has_condition(i)) {
      const std::size_t end = after(body(i));
      return tokens_.is(i, "if") && tokens_.is(end, "else") ? after(end + 1) : end;
    }
    if (tokens_.is(i, "do"))
      return after(after(i + 1));
    if (tokens_.is(i, "else"))
      return after(i + 1);
    if (const std::size_t open = function_body(i))
      return tokens_.after_group(open);
    while (i < tokens_.size() && !tokens_.is(i, ";") && !tokens_.closes(i))
      i = tokens_.opens(i) ? tokens_.after_group(i) : i + 1;
    return tokens_.is(i, ";") ? i + 1 : i;
  }

  bool has_condition(std::size_t i) const {
    return tokens_.is_any(i, "if", "for", "while", "switch");
  }

  std::size_t condition(std::size_t i) const { return tokens_.is(i + 1, "(") ? i + 1 : i + 2; }
  std::size_t body(std::size_t i) const { return tokens_.after_group(condition(i)); }

  // The bracket that opens the body of the function whose definition begins at `i`; 0: it is none.
  std::size_t function_body(std::size_t i) const {
    while (i < tokens_.size() && !tokens_.is_any(i, ";", "=") && !tokens_.closes(i)) {
      if (tokens_.is(i, "{"))
        return tokens_.is(i - 1, ")") ? i : 0;
      i = tokens_.opens(i) ? tokens_.after_group(i) : i + 1;
    }
    return 0;
  }

  bool is_declaration(std::size_t i) const {
    if (tokens_.is_any(i, "const", "constexpr", "static", "auto", "int", "float", "double",
                       "unsigned", "long", "size_t", "bool", "char", "extern", "using", "struct"))
      return true;
    while (tokens_.is_name(i) && tokens_.is(i + 1, "::"))
      i += 2;
    if (tokens_.is(i + 1, "<"))
      i = tokens_.after_template_arguments(i + 1) - 1;
    return tokens_.is_name(i + 1) ||
           (tokens_.is_any(i + 1, "*", "&") && tokens_.is_name(i + 2) && !tokens_.is(i + 2, "("));
  }

  // The statements from `begin` to `end`, which may lack what opens or closes them.
  void block(std::size_t begin, std::size_t end, bool top = false) {
    std::size_t previous = end; // start of the statement before; end: there is none
    for (std::size_t i = begin; i < end;) {
      if (tokens_.closes(i) || tokens_.is(i, "else")) {
        previous = end;
        ++i;
        continue;
      }
      const std::size_t next = std::max(i + 1, after(i));
      if (previous != end)
        exchange(previous, i, next);
      if (top && i > begin)
        mutation_.insert(i, "return; ");
      statement(i, next);
      previous = i;
      i = next;
    }
  }

  void statement(std::size_t begin, std::size_t end) {
    if (tokens_.is(begin, "{"))
      return block(begin + 1, end - 1);
    if (tokens_.is(begin, "do"))
      return statement(begin + 1, after(begin + 1));
    if (const std::size_t open = has_condition(begin) ? 0 : function_body(begin))
      return block(open + 1, end - 1);
    if (!has_condition(begin))
      return simple(begin, end);
    if (tokens_.is(begin, "if"))
      guard(begin);
    if (tokens_.is(begin, "while"))
      mutation_.replace(condition(begin) + 1, body(begin) - 1, "false");
    if (tokens_.is(begin, "for"))
      loop(begin);
    const std::size_t first = body(begin), behind = after(first);
    statement(first, behind);
    if (tokens_.is(begin, "if") && tokens_.is(behind, "else"))
      statement(behind + 1, end);
  }

  // Dropped; and done twice, where that is not the same as once.
  void simple(std::size_t begin, std::size_t end) {
    if (tokens_.is(begin, ";") || is_declaration(begin) ||
        (tokens_.is(begin, "return") && !tokens_.is(begin + 1, ";")))
      return;
    mutation_.replace(begin, end, ";");
    if (!names(begin, end,
               {"=", "break", "continue", "return", "cudaMem", "cudaGetLastError", "__sync",
                "__threadfence"}))
      mutation_.insert(begin, "for (int twice = 0; twice < 2; ++twice) ");
  }

  void guard(std::size_t begin) {
    const std::size_t open = condition(begin), first = body(begin), end = after(first);
    for (const char *value : {"true", "false"})
      mutation_.replace(open + 1, first - 1, value);
    if (!tokens_.is(end,
                    "else")) // the following statements are left out as well: a barrier, perhaps
      mutation_.replace(begin, first, "if (!" + mutation_.text(open, first) + ") return; else");
  }

  // One step later or earlier at the beginning; the mutants of comparisons cut the end.
  void loop(std::size_t begin) {
    std::size_t equals = condition(begin) + 1;
    while (!tokens_.is_any(equals, "=", ";", ":", ")"))
      ++equals;
    if (tokens_.is(equals, "=")) {
      const std::size_t end = mutation_.operand_end(equals);
      if (end == equals + 2 && tokens_[equals + 1].kind == Kind::number)
        return; // it is changed as a constant
      for (const char *change : {" + 1", " - 1"})
        mutation_.replace(equals + 1, end, mutation_.text(equals + 1, end) + change);
    }
  }

  // True if a token from `begin` to before `end` begins with one of these.
  bool names(std::size_t begin, std::size_t end,
             std::initializer_list<std::string_view> starts) const {
    for (std::size_t i = begin; i < end; ++i)
      for (const std::string_view start : starts)
        if (tokens_[i].text.substr(0, start.size()) == start)
          return true;
    return false;
  }

  // Two statements that follow each other, in the other order, where others wait for one of them.
  void exchange(std::size_t first, std::size_t second, std::size_t end) {
    if (!is_declaration(first) && !is_declaration(second) &&
        names(first, end,
              {"__sync", "__threadfence", "cudaMemset", "cudaDeviceSync", "cudaStream", "cudaEvent",
               "MPI_", "<<<", "atomic"}))
      mutation_.replace(first, end,
                        mutation_.text(second, end) + " " + mutation_.text(first, second));
  }

  // Each atomic addition, minimum or maximum as a plain load and store.
  void atomics(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::string_view name = tokens_[i].text;
      const std::string value = name == "atomicAdd"   ? "old + other"
                                : name == "atomicMax" ? "old > other ? old : other"
                                : name == "atomicMin" ? "old < other ? old : other"
                                                      : "";
      const auto arguments = mutation_.arguments(i + 1);
      if (value.empty() || !tokens_.is(i + 1, "(") || arguments.size() != 2)
        continue;
      const auto text = [&](auto range) { return mutation_.text(range.first, range.second); };
      mutation_.replace(i, tokens_.after_group(i + 1),
                        "[&] { const auto at = " + text(arguments[0]) +
                            "; const auto other = " + text(arguments[1]) +
                            "; const auto old = *at; *at = " + value + "; return old; }()");
    }
  }

  Mutation &mutation_;
  const TokenRange &tokens_;
};

} // namespace

void mutate_statements(Mutation &mutation) { Statements(mutation).run(); }

} // namespace course
