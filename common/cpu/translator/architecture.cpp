// __CUDA_ARCH__ in device code.
#include "passes.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace course_cpu::translator {
namespace {

// Host and device code are compiled together, once. If a file names the macro, it is 860 in the
// bodies of __global__ functions, and of functions and lambdas that are __device__ and not
// __host__, and in an #if around such functions only. Elsewhere it is undefined, as in nvcc's host
// pass: in constexpr functions and outside of functions as well. A body for both execution spaces
// that has an #if about it is repeated, unless it has goto, a label, asm or #define, or branches
// that do not close their own braces. Headers included with <...> are not translated. A __device__
// that comes from a macro is recognised where the macro has no parameters and is defined in a
// translated file.
class Architecture : Pass {
public:
  explicit Architecture(const Pass &pass) : Pass(pass) {}

  void run() {
    find_macros();
    if (!names_it(lexed_.code) &&
        std::none_of(lexed_.directives.begin(), lexed_.directives.end(),
                     [this](const Tokens &directive) { return names_it(directive); }))
      return;
    for (const Function &f : functions_.all())
      if (f.side == Side::both)
        give_both(f);
    for (const std::size_t i : functions_.device_begins())
      if (!is_repeated(tokens_[i].begin))
        edits_.replace_lines(tokens_[i].end(), tokens_[i].end(),
                             "\n#define __CUDA_ARCH__ COURSE_CPU_ARCHITECTURE");
    for (const std::size_t i : functions_.device_ends())
      if (!is_repeated(tokens_[i].begin))
        edits_.replace_lines(tokens_[i].begin, tokens_[i].begin, "\n#undef __CUDA_ARCH__");
    for (auto open = lexed_.directives.begin(); open != lexed_.directives.end(); ++open)
      if (open->front().text.substr(0, 2) == "if")
        if (const Group group = group_of(open); asks(group))
          decide(group);
  }

private:
  using Directive = std::vector<Tokens>::const_iterator;

  // An #if with its #elifs, and where it ends: at its #endif.
  struct Group {
    std::vector<Directive> branches;
    Directive close;
  };

  // A macro may name one that is defined behind it.
  void find_macros() {
    auto &macros = declared_.architecture_macros;
    for (std::size_t before = macros.size() + 1; before != macros.size();) {
      before = macros.size();
      for (const Tokens &directive : lexed_.directives)
        if (directive.size() > 2 && directive.front().text == "define" && names_it(directive))
          macros.emplace(directive[1].text);
    }
  }

  static bool is_name(const Token &token) { return token.text == "__CUDA_ARCH__"; }
  bool names_it(const Tokens &tokens) const {
    return std::any_of(tokens.begin(), tokens.end(), [this](const Token &token) {
      return is_name(token) || declared_.architecture_macros.count(token.text) > 0;
    });
  }

  void give_both(const Function &f) {
    const std::size_t close = tokens_.is(f.body, "{") ? tokens_.after_group(f.body) - 1 : f.body;
    const std::size_t begin = tokens_[f.body].end(), end = tokens_[close].begin;
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

  // A constexpr function cannot ask at run time; a label may appear only once; asm holds a GPU's
  // instructions.
  bool can_stand_twice(const Function &f, std::size_t close) const {
    if (tokens_.holds(f.begin, f.body, "constexpr"))
      return false;
    for (std::size_t i = f.body + 1; i < close; ++i)
      if (tokens_.is_any(i, "goto", "asm", "__asm__", "__asm") ||
          (tokens_.is(i, ":") && tokens_.is_name(i - 1) && tokens_.is_any(i - 2, ";", "{", "}") &&
           !tokens_.is_any(i - 1, "default", "public", "private", "protected")))
        return false;
    return true;
  }

  // True if the #ifs of the body end in it, each branch closes the braces that it opens, and none
  // defines a macro, which would be defined twice.
  bool branches_are_whole(std::size_t brace, std::size_t close) const {
    std::vector<int> open; // braces, for each #if that has begun
    std::size_t i = brace;
    for (const Tokens &directive : lexed_.directives) {
      const std::size_t at = directive.front().begin;
      if (at < tokens_[brace].begin || at > tokens_[close].begin)
        continue;
      for (; i < close && tokens_[i].begin < at; ++i)
        if (!open.empty() && (open.back() += tokens_.is(i, "{") - tokens_.is(i, "}")) < 0)
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

  // If the file ends before the #endif, the group is empty.
  Group group_of(Directive open) const {
    Group group{{open}, open};
    for (int depth = 1; depth > 0;) {
      if (++group.close == lexed_.directives.end())
        return {{}, open};
      const std::string_view word = group.close->front().text;
      depth += word.substr(0, 2) == "if" ? 1 : word == "endif" ? -1 : 0;
      if (depth == 1 && word == "elif")
        group.branches.push_back(group.close);
    }
    return group;
  }

  bool asks(const Group &group) const {
    return std::any_of(group.branches.begin(), group.branches.end(),
                       [this](Directive branch) { return names_it(*branch); });
  }

  void decide(const Group &group) {
    if (!holds_device_functions_only(group.branches.front()->front().begin,
                                     group.close->front().begin))
      return;
    for (const Directive branch : group.branches)
      for (const Token &token : *branch)
        if (is_name(token))
          edits_.replace(token.begin, token.end(), "COURSE_CPU_ARCHITECTURE");
  }

  // Between these places, which are outside of functions.
  bool holds_device_functions_only(std::size_t begin, std::size_t end) const {
    bool holds_one = false;
    for (const Function &f : functions_.all()) {
      const std::size_t first = tokens_[f.begin].begin;
      if (first < begin && tokens_[f.body].begin > begin)
        return false;
      if (first < begin || first > end)
        continue;
      if (f.side != Side::device)
        return false;
      holds_one = true;
    }
    return holds_one;
  }

  std::vector<std::pair<std::size_t, std::size_t>> repeated_; // from which byte to which
};

} // namespace

void define_architecture(const Pass &pass) { Architecture(pass).run(); }

} // namespace course_cpu::translator
