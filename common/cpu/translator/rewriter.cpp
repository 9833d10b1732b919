// Rewrites launches, shared memory and asm into C++.
#include "passes.hpp"
#include "shared_declaration.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace course_cpu::translator {
namespace {

// Rewrites the code of a file, or the body of one macro.
class Rewriter : Pass {
public:
  explicit Rewriter(const Pass &pass) : Pass(pass), is_macro_(false), body_begin_(0) {}

  // #define NAME body, or #define NAME(a, b) body
  Rewriter(const Pass &pass, const Tokens &macro)
      : Pass(pass, macro), is_macro_(true),
        body_begin_(has_parameters() ? tokens_.after_group(2) : 2) {}

  void run_with_macros() {
    run();
    for (const Tokens &directive : lexed_.directives)
      if (directive.front().text == "define")
        Rewriter(*this, directive).run();
  }

private:
  void run() {
    for (std::size_t i = body_begin_; i < tokens_.size(); ++i) {
      if (tokens_.is(i, "<<<") && tokens_.is(i + 1, "<<<"))
        i += 2; // git's mark of a conflict, which the compiler names
      else if (tokens_.opens_launch(i) && !tokens_.is(i - 1, "operator"))
        rewrite_launch(i);
      else if (tokens_.is(i, "__shared__"))
        rewrite_shared(i);
      else if (tokens_.is_any(i, "asm", "__asm__", "__asm") && !is_macro_ &&
               functions_.side(i) == Side::device)
        rewrite_asm(i);
      else if (tokens_.is(i, "__syncthreads") && tokens_.is(i + 1, "(") && tokens_.is(i + 2, ")"))
        number_barrier(i);
      else if (tokens_.is(i, "reinterpret_cast"))
        cast_dynamic(tokens_.after_template_arguments(i + 1) + 1);
    }
  }

  void error(std::size_t token, std::string message) {
    errors_.push_back({tokens_[token].line, std::move(message)});
  }

  void replace(std::size_t begin_token, std::size_t end_token, std::string text) {
    edits_.replace(tokens_[begin_token].begin, tokens_[end_token - 1].end(), std::move(text),
                   is_macro_ ? "\\\n" : "\n");
  }

  // ---- kernel<<<grid, block, shared, stream>>>(arguments)

  void rewrite_launch(std::size_t open) {
    const std::size_t kernel = kernel_begin(open);
    const std::size_t close = launch_end(open);
    if (kernel == open || kernel < body_begin_)
      return error(open, "there is no kernel before <<<: write kernel<<<grid, block>>>(arguments)");
    const std::string name = tokens_.joined(kernel, open);
    if (close == tokens_.size() && ends_in_comment(open))
      return error(open, "the launch of " + name +
                             " has no end: // begins a comment, and its >>> is in there; an int "
                             "divided by an int is an integer division, n / block");
    if (close == tokens_.size())
      return error(
          open, "the launch of " + name +
                    (is_closed(open)
                         ? " has no arguments: write " + name +
                               "<<<grid, block>>>(arguments), or () if the kernel takes none"
                         : " has no end: write " + name +
                               "<<<grid, block>>>(arguments), with three > before the arguments"));
    if (has_one_configuration_argument(open, close))
      return error(open,
                   "the launch of " + name +
                       " needs the number of blocks and the number of threads per block: write " +
                       name + "<<<grid, block>>>(arguments)");
    const std::string site_name = is_macro_parameter(name) ? "#" + name : string_literal(name);
    const std::string launcher =
        (!is_macro_ && functions_.side(open) == Side::device ? "::course_cpu::launch_in_kernel(), "
                                                             : "") +
        ("::course_cpu::launcher(::course_cpu::Site{" + site_name) +
        ", __FILE__, __LINE__}, ::course_cpu::Configuration(";
    const std::string said = name + "(course_cpu_args...)";
    // In the type, g++ 13 and later refuse a constant from around the lambda that the launch is in.
    const std::string type =
        tokens_.is(open - 1, ">") && in_lambda(open) ? "" : " -> decltype((void)" + said + ")";
    const std::size_t arguments = close + 3, end = tokens_.after_group(arguments);
    // The name may also be one of a namespace in use (std::reduce): then C++ has to choose by the
    // arguments, which braces do not allow.
    const bool has_braces = tokens_.is(arguments, "(") && tokens_.holds(arguments, end, "{");
    const bool by_name = has_one_type(kernel, open) && (has_braces || !declared_.imports_names);
    const std::string call = "), [=](auto... course_cpu_args)" + type + " { " + said + "; }" +
                             (by_name ? ", " + name : pointer_to(name)) + ")";
    if (!is_macro_ && !by_name &&
        functions_.side(open) != Side::device) // else a pointer to a function may be meant
      check_lambdas(arguments + 1, end - 1);
    copy_null_pointers(arguments + 1, end - 1, by_name);
    if (!tokens_.is(arguments, "(") || (has_braces && !by_name)) {
      // Arguments that cannot be written twice: the types of lambdas would differ.
      replace(kernel, open + 1, launcher);
      replace(close, close + 3, call);
    } else if (is_macro_ || functions_.in_brackets(kernel)) {
      replace(kernel, open + 1,
              "false ? " + name + tokens_.joined(arguments, end) + " : " + launcher);
      replace(close, close + 3, call);
    } else {
      const std::size_t name_begin = tokens_[kernel].begin, launch_begin = tokens_[open].begin;
      const std::size_t arguments_begin = tokens_[arguments].begin;
      edits_.replace_lines(name_begin, tokens_[open].end(),
                           "false ?" + edits_.place(name_begin) +
                               std::string(edits_.source(name_begin, launch_begin)) +
                               edits_.blank(launch_begin, arguments_begin) +
                               std::string(edits_.source(arguments_begin, tokens_[end - 1].end())) +
                               edits_.place(name_begin) + ": " + launcher);
      edits_.replace_lines(tokens_[close].begin, tokens_[close + 2].end(), call);
    }
  }

  bool in_lambda(std::size_t token) const {
    std::size_t closed = 0; // braces
    for (std::size_t i = token; i-- > 0;) {
      if (tokens_.is(i, "}"))
        ++closed;
      else if (tokens_.is(i, "{") && closed > 0)
        --closed;
      else if (tokens_.is(i, "{") && begins_lambda(i))
        return true;
    }
    return false;
  }
  bool begins_lambda(std::size_t brace) const {
    for (std::size_t i = brace; i-- > 0 && !tokens_.is_any(i, ";", "{", "}");)
      if (tokens_.is(i, "]") && tokens_.is_any(i + 1, "(", "{", "mutable", "->"))
        return true;
    return false;
  }

  // The copies of NULL and 0 that a kernel gets would be numbers.
  void copy_null_pointers(std::size_t begin, std::size_t end, bool types_are_known) {
    for (std::size_t i = begin; i < end;) {
      const bool is_argument =
          (i == begin || tokens_.is(i - 1, ",")) && (i + 1 == end || tokens_.is(i + 1, ","));
      if (is_argument && tokens_.is(i, "NULL"))
        replace(i, i + 1, "nullptr");
      else if (is_argument && tokens_.is(i, "0") && !types_are_known)
        replace(i, i + 1, "::course_cpu::Zero()");
      const std::size_t next = tokens_.after(i);
      i = next <= end ? next : i + 1; // a comparison
    }
  }

  // A kernel cannot take a host lambda, or a variable that holds one, as an argument.
  void check_lambdas(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; i = tokens_.next(i)) {
      if (i != begin && !tokens_.is(i - 1, ","))
        continue;
      const bool is_name =
          tokens_.is_name(i) && (i + 1 == end || tokens_.is(i + 1, ",")) && !tokens_.is(i - 1, "<");
      const std::size_t lambda = is_name ? lambda_named(i) : i;
      if (tokens_.is(lambda, "[") && is_host_lambda(lambda, is_name))
        error(i, "a kernel cannot call a lambda of host code: write [=] __device__ (...) { ... }, "
                 "and compile with --extended-lambda");
    }
  }

  // The beginning of the lambda in the nearest `auto name = [` before its use; the use if none.
  std::size_t lambda_named(std::size_t use) const {
    for (std::size_t i = use - 1; i > 0 && functions_.side(i) != Side::none; --i)
      if (tokens_.is(i, tokens_[use].text) && !tokens_.is_any(i - 1, ".", "->", "::") &&
          (tokens_.is_name(i - 1) || tokens_.is_any(i - 1, "&", "*")))
        return tokens_.is(i - 1, "auto") && tokens_.is(i + 1, "=") ? i + 2 : use;
    return use;
  }

  bool is_host_lambda(std::size_t open, bool is_named) const {
    std::size_t i = tokens_.after_group(open);
    for (; i < tokens_.size() && !tokens_.is_any(i, "{", ";"); ++i)
      if (functions_.says(i, "__device__") ||
          (tokens_.is_name(i) && Functions::is_upper(tokens_[i].text)))
        return false;
    i = tokens_.is(i, "{") ? tokens_.after_group(i) : tokens_.size();
    return is_named ? tokens_.is(i, ";") : tokens_.is_any(i, ",", ")"); // it is not called there
  }

  // True if no arguments follow the >>> of the launch.
  bool is_closed(std::size_t open) const {
    std::size_t i = open + 1;
    while (i < tokens_.size() && !tokens_.is(i, ";"))
      ++i;
    return i > open + 3 && tokens_.is(i - 1, ">") && tokens_.is(i - 2, ">") &&
           tokens_.is(i - 3, ">");
  }

  // True if the line of the launch ends with a comment that holds >>>: in Python, // divides.
  bool ends_in_comment(std::size_t open) const {
    std::size_t last = open;
    while (last + 1 < tokens_.size() && tokens_[last + 1].line == tokens_[open].line)
      ++last;
    if (last + 1 == tokens_.size())
      return false;
    const std::string_view text = tokens_[last].text;
    const std::string_view between(text.data() + text.size(),
                                   tokens_[last + 1].begin - tokens_[last].end());
    const std::size_t comment = between.find("//");
    return comment < between.find('\n') && between.find(">>>", comment) < between.find('\n');
  }

  // True if the tokens name a kernel that is not a template and has no overloads: its parameters
  // give the types of its arguments, also of 0 for a pointer and of {...}.
  bool has_one_type(std::size_t begin, std::size_t end) const {
    const auto known = declared_.kernels.find(tokens_[end - 1].text);
    bool is_name = !is_macro_;
    for (std::size_t i = begin; i < end; ++i)
      is_name &= tokens_.is_name(i) || tokens_.is(i, "::");
    return is_name && known != declared_.kernels.end() && !known->second.empty();
  }

  // Gives the pointer to the one of the kernels of that name which takes such arguments.
  static std::string pointer_to(const std::string &name) {
    const std::string pointer = "::course_cpu::pointer_of(" + name + ", course_cpu_p...)";
    return ", [=](auto *...course_cpu_p) -> decltype(" + pointer + ") { return " + pointer + "; }";
  }

  // The first token of the expression that names the kernel: k, a::k<T, N>, object.k, (k).
  std::size_t kernel_begin(std::size_t open) const {
    std::size_t begin = primary_begin(open);
    while (begin > 0 && begin < open) {
      std::size_t before = begin - 1;
      if (tokens_.is(before, "template") && before > 0)
        --before;
      if (!tokens_.is_any(before, "::", ".", "->"))
        break;
      begin = primary_begin(before);
    }
    return begin;
  }

  // The first token of a name, of a name with template arguments, of (...), or of any of these
  // followed by calls and subscripts, that ends before `end`; `end` if there is none.
  std::size_t primary_begin(std::size_t end) const {
    while (end > 0) {
      const std::size_t last = end - 1;
      if (tokens_.is_name(last))
        return last;
      if (tokens_.is(last, ">"))
        return tokens_.template_begin(last) == last ? end : tokens_.template_begin(last);
      if (!tokens_.is_any(last, ")", "]"))
        return end;
      const std::size_t open = tokens_.group_begin(last);
      if (open > 0 && tokens_.is_any(open - 1, "if", "for", "while", "switch", "constexpr"))
        return end; // the condition of a statement
      end = open;
      const bool is_call =
          end > 0 && (tokens_.is_name(end - 1) || tokens_.is_any(end - 1, ")", "]", ">"));
      if (tokens_.is(last, ")") && !is_call)
        return end;
    }
    return end;
  }

  // The first of the three `>` that end the launch; the number of tokens if it has no end.
  // A >>> may also close nested template arguments, so the one that leaves no `<` open is
  // preferred to the first one that is followed by the launch's arguments.
  std::size_t launch_end(std::size_t open) const {
    std::size_t first = tokens_.size();
    std::size_t angles = 0;
    for (std::size_t i = open + 1; i < tokens_.size();) {
      if (tokens_.is(i, ";") || tokens_.opens_launch(i) || tokens_.closes(i))
        break;
      if (tokens_.opens(i)) {
        i = tokens_.after_group(i);
      } else if (tokens_.is(i, ">")) {
        std::size_t end = i + 1;
        while (tokens_.is(end, ">") && tokens_.adjacent(end - 1))
          ++end;
        end += end - i == 2 && tokens_.is(end, ">"); // nvcc takes `>> >`
        // In a macro the arguments may stand where it is used.
        if (end - i >= 3 && (tokens_.is(end, "(") || (is_macro_ && end == tokens_.size()))) {
          if (end - i == angles + 3)
            return end - 3;
          first = std::min(first, end - 3);
        }
        angles -= std::min(angles, end - i);
        i = end;
      } else {
        angles += tokens_.is(i, "<") && tokens_.is_name(i - 1);
        ++i;
      }
    }
    return first;
  }

  bool has_one_configuration_argument(std::size_t open, std::size_t close) const {
    for (std::size_t i = open + 1; i < close; i = tokens_.next(i))
      if (tokens_.is(i, ","))
        return false;
    // One macro may stand for both.
    return !(close == open + 2 && (is_macro_ || declared_.macros.count(tokens_[open + 1].text)));
  }

  bool has_parameters() const { return tokens_.is(2, "(") && tokens_.adjacent(1); }

  bool is_macro_parameter(std::string_view name) const {
    if (is_macro_ && has_parameters())
      for (std::size_t i = 3; i < body_begin_; ++i)
        if (tokens_.is(i, name))
          return true;
    return false;
  }

  // ---- asm("...")

  // PTX, but for an empty text, a barrier for the compiler. What is not compiled in the end, by an
  // #if or an unused template, is harmless.
  void rewrite_asm(std::size_t keyword) {
    std::size_t open = keyword + 1;
    while (tokens_.is_any(open, "volatile", "__volatile__"))
      ++open;
    if (tokens_.is(open, "(") && open + 1 < tokens_.size() &&
        tokens_[open + 1].kind == Kind::literal && tokens_[open + 1].text != "\"\"")
      replace(keyword, tokens_.after_group(open), "::course_cpu::inline_ptx()");
  }

  // ---- __syncthreads()

  // Barriers of one line differ by their number.
  void number_barrier(std::size_t name) {
    int before = 0;
    for (std::size_t i = name; i-- > body_begin_ && tokens_[i].line == tokens_[name].line;)
      before += tokens_.is(i, "__syncthreads");
    if (before > 0)
      replace(name + 1, name + 3, "(::course_cpu::here(" + std::to_string(before) + "))");
  }

  // ---- __shared__ declarations

  void rewrite_shared(std::size_t keyword) {
    const SharedDeclaration declaration = shared_declaration(tokens_, keyword);
    if (declaration.end == tokens_.size())
      return; // part of a macro; the rest is at its use
    if (const std::size_t value = declaration.initial_value; value < tokens_.size())
      return error(value, "a __shared__ variable cannot have an initial value: assign it in one "
                          "thread, then call __syncthreads()");
    if (declaration.is_extern)
      rewrite_dynamic(declaration);
    else if (instrumented_ && declares_names(declaration) &&
             (is_macro_ || functions_.side(declaration.begin) != Side::none))
      rewrite_instrumented(declaration);
    else
      rewrite_static(declaration);
  }

  void rewrite_static(const SharedDeclaration &d) {
    // `__shared__` becomes `static`, and C++ wants alignas before it.
    for (const std::size_t i : d.dropped)
      if (tokens_.is(i, "static"))
        replace(i, i + 1, "");
    if (const auto [begin, end] = d.alignas_; begin < end) {
      edits_.insert(tokens_[d.begin].begin, tokens_.joined(begin, end) + ' ');
      replace(begin, end, "");
    }
    for (const Declarator &declarator : d.declarators) {
      if (declarator.name == declarator.end)
        continue;
      const std::size_t end = tokens_[d.end].end();
      const std::string check = size_check(declarator);
      if (is_macro_ || functions_.in_brackets(d.begin))
        edits_.insert(end, ' ' + check);
      else // the message points to where its operator stands: to the name
        edits_.replace_lines(end, end,
                             check.substr(0, check.find("<=")) +
                                 edits_.place(tokens_[declarator.name].begin) +
                                 check.substr(check.find("<=")));
    }
  }

  // Also counts the variables declared before in the same and in outer scopes. An #if between two
  // declarations may leave one out.
  std::string size_check(const Declarator &declarator) {
    const std::size_t at = declarator.name, scope = tokens_.enclosing(at);
    const std::string name(tokens_[at].text);
    const auto is_left = [&](std::size_t other) {
      return tokens_.after_group(tokens_.enclosing(other)) <= at || tokens_.is(other, name) ||
             std::any_of(lexed_.directives.begin(), lexed_.directives.end(), [&](const Tokens &d) {
               return d.front().text != "define" && d.front().begin > tokens_[other].begin &&
                      d.front().begin < tokens_[at].begin;
             });
    };
    shared_.erase(std::remove_if(shared_.begin(), shared_.end(), is_left), shared_.end());
    std::string bytes = "sizeof(" + name + ")";
    for (const std::size_t other : shared_)
      bytes += " + sizeof(" + std::string(tokens_[other].text) + ")";
    const std::string what = shared_.empty()
                                 ? name + " is larger than"
                                 : name + " and the __shared__ variables before it need more than";
    if (!is_macro_ && tokens_.is(scope, "{"))
      shared_.push_back(at);
    return "static_assert(" + bytes + " <= 49152, \"" + what +
           " 48 KiB, all the static shared memory that a block may have: "
           "use less, or dynamic shared memory\");";
  }

  static bool declares_names(const SharedDeclaration &d) {
    return std::all_of(
        d.declarators.begin(), d.declarators.end(),
        [](const Declarator &declarator) { return declarator.name < declarator.end; });
  }

  // Each variable becomes a reference to its place in the block's memory.
  void rewrite_instrumented(const SharedDeclaration &d) {
    std::string base; // the type that the declarators share
    std::string text;
    for (const Declarator &declarator : d.declarators) {
      const bool is_first = &declarator == &d.declarators.front();
      const std::string before = kept(is_first ? d.begin : declarator.begin, declarator.name, d);
      if (is_first)
        base = before.substr(0, before.find_last_not_of("* ") + 1) + ' ';
      const std::string name(tokens_[declarator.name].text);
      const std::string type = "course_cpu_type_" + name, variable = "course_cpu_variable_" + name;
      text += "typedef " + (is_first ? before : base + before) + ' ' + type +
              tokens_.joined(declarator.name + 1, declarator.end) +
              "; static ::course_cpu::SharedVariable " + variable + "(\"" + name + "\", sizeof(" +
              type + ")); " + type + " &" + name + " = *static_cast<" + type + " *>(" + variable +
              ".find()); " + size_check(declarator) + ' ';
    }
    replace(d.begin, d.end + 1, std::move(text));
  }

  void rewrite_dynamic(const SharedDeclaration &d) {
    const bool in_function = is_macro_ || functions_.side(d.begin) != Side::none;
    std::string base; // the type that the declarators share
    std::string text;
    for (const Declarator &declarator : d.declarators) {
      if (!tokens_.is(declarator.name + 1, "["))
        return error(d.begin, "dynamic shared memory is an array, and the launch sets its size: "
                              "write extern __shared__ float name[];");
      const bool is_first = &declarator == &d.declarators.front();
      const std::string type = kept(is_first ? d.begin : declarator.begin, declarator.name, d);
      if (is_first)
        base = type.substr(0, type.find_last_not_of("* ") + 1);
      const std::string element =
          (is_first ? type : base + type) +
          tokens_.joined(tokens_.after_group(declarator.name + 1), declarator.end);
      const std::string name(tokens_[declarator.name].text);
      text += text.empty() ? "" : " ";
      if (in_function) { // the declaration tells C++ of another type under this name
        text += "{ [[maybe_unused]] extern " + (is_first ? type : base + type) + ' ' +
                tokens_.joined(declarator.name, declarator.end) + "; } auto* " + name +
                " = ::course_cpu::dynamic_shared<" + element + ">();";
        continue;
      }
      text += "[[maybe_unused]] static ::course_cpu::DynamicShared<" + element + "> " + name + ";";
      declared_.dynamic_shared.insert(name);
    }
    replace(d.begin, d.end + 1, std::move(text));
  }

  // reinterpret_cast<T *>(name) needs the pointer to which an object outside of functions converts.
  void cast_dynamic(std::size_t name) {
    if (tokens_.is(name + 1, ")") && declared_.dynamic_shared.count(tokens_[name].text))
      edits_.insert(tokens_[name].begin, "+");
  }

  // The text of the tokens from `begin` to `end` without those that the declaration drops.
  std::string kept(std::size_t begin, std::size_t end, const SharedDeclaration &d) const {
    Tokens result;
    for (std::size_t i = begin; i < end; ++i)
      if (std::find(d.dropped.begin(), d.dropped.end(), i) == d.dropped.end())
        result.push_back(tokens_[i]);
    return TokenRange(result).joined(0, result.size());
  }

  const bool is_macro_;
  const std::size_t body_begin_;
  std::vector<std::size_t> shared_; // names of the __shared__ variables in scope
};

} // namespace

void rewrite_syntax(const Pass &pass) { Rewriter(pass).run_with_macros(); }

} // namespace course_cpu::translator
