// __launch_bounds__ of kernels. The macro leaves nothing, so the body of such a kernel names a
// constant whose initialisation tells the runtime, before main:
//
//   __global__ void __launch_bounds__(64, 2) k(int *x) {
//   -> the same, and static_cast<void>(&::course_cpu::Bounded<&k, (64), (2)>::known);
#include "passes.hpp"

#include <string>

namespace course_cpu::translator {
namespace {

class LaunchBounds : Pass {
public:
  explicit LaunchBounds(const Pass &pass) : Pass(pass) {}

  void run() {
    find_macros();
    for (const Function &f : functions_.all()) {
      const std::string bounds =
          f.is_kernel && tokens_.is(f.body, "{") ? bounds_in(tokens_, f.begin, f.name) : "";
      const std::string name = bounds.empty() ? "" : full_name(f);
      if (name.empty())
        continue;
      const std::size_t parameters_end = tokens_.after_group(f.parameters) - 1;
      if (tokens_.holds(f.parameters, parameters_end, tokens_[f.name].text))
        continue;        // in the body, the name is the parameter's
      std::string types; // without defaults; the cast chooses among kernels of one name
      for_each_part(tokens_, f.parameters + 1, parameters_end,
                    [&](std::size_t first, std::size_t past_last) {
                      std::size_t end = first;
                      while (end < past_last && !tokens_.is(end, "="))
                        ++end;
                      types += (types.empty() ? "" : ", ") + tokens_.joined(first, end);
                    });
      const std::size_t at = tokens_[f.body].end();
      edits_.insert(at, " static_cast<void>(&::course_cpu::Bounded<static_cast<void (*)(" + types +
                            ")>(&" + name + ")" + bounds + ">::known);" + edits_.place(at));
    }
  }

private:
  // #define BOUNDS __launch_bounds__(64, 2)
  void find_macros() {
    for (const Tokens &directive : lexed_.directives) {
      const TokenRange tokens(directive);
      if (tokens.is(0, "define") && tokens.size() > 2 && !(tokens.is(2, "(") && tokens.adjacent(1)))
        if (std::string bounds = bounds_in(tokens, 2, tokens.size()); !bounds.empty())
          declared_.launch_bounds[std::string(tokens[1].text)] = std::move(bounds);
    }
  }

  // ", (64), (2)"; "" if there are none.
  std::string bounds_in(const TokenRange &tokens, std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i)
      if (tokens.is(i, "__launch_bounds__") && tokens.is(i + 1, "(")) {
        std::string bounds;
        for_each_part(tokens, i + 2, tokens.after_group(i + 1) - 1,
                      [&](std::size_t first, std::size_t past_last) {
                        bounds += ", (" + tokens.joined(first, past_last) + ")";
                      });
        return bounds;
      } else if (const auto macro = declared_.launch_bounds.find(tokens[i].text);
                 macro != declared_.launch_bounds.end()) {
        return macro->second;
      }
    return "";
  }

  // k, k<3> of a specialization, k<T, N> of a template; "" if a parameter has no name.
  std::string full_name(const Function &f) const {
    const std::string name = tokens_.joined(f.name, f.parameters);
    if (!tokens_.is(f.begin, "template") || f.parameters > f.name + 1)
      return name;
    std::string names;
    bool all_named = true;
    for_each_part(tokens_, f.begin + 2, tokens_.after_template_arguments(f.begin + 1) - 1,
                  [&](std::size_t first, std::size_t past_last) {
                    std::size_t end = first; // of what stands before the default
                    while (end < past_last && !tokens_.is(end, "="))
                      ++end;
                    all_named &= end > first + 1 && tokens_.is_name(end - 1);
                    names += (names.empty() ? "" : ", ") + tokens_.joined(end - 1, end) +
                             (tokens_.holds(first, end, ".") ? "..." : "");
                  });
    return all_named ? name + "<" + names + ">" : "";
  }

  // Calls f(first, past_last) for what stands between commas.
  template <class F>
  static void for_each_part(const TokenRange &tokens, std::size_t begin, std::size_t end,
                            const F &f) {
    std::size_t first = begin;
    for (std::size_t i = begin; i < end;)
      if (tokens.is(i, ",")) {
        f(first, i);
        first = ++i;
      } else {
        i = tokens.after(i);
      }
    if (first < end)
      f(first, end);
  }
};

} // namespace

void tell_launch_bounds(const Pass &pass) { LaunchBounds(pass).run(); }

} // namespace course_cpu::translator
