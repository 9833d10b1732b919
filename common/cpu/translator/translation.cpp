#include "translation.hpp"

#include "addresses.hpp"
#include "architecture.hpp"
#include "braces.hpp"
#include "device_code.hpp"
#include "functions.hpp"
#include "heap_uses.hpp"
#include "kernel_rules.hpp"
#include "results.hpp"
#include "rewriter.hpp"
#include "token_range.hpp"
#include "warp_exchange.hpp"

#include <cstddef>
#include <string>

namespace course_cpu::translator {
namespace {

// The line of git's mark where two changes met; 0 if there is none.
int conflict(const Lexed &lexed) {
  const TokenRange tokens(lexed.code);
  for (std::size_t i = 0; i < tokens.size(); ++i)
    if (tokens.is(i, "<<<") && tokens.is(i + 1, "<<<") && tokens.is(i + 2, "<") &&
        tokens.adjacent(i) && tokens.adjacent(i + 1))
      return tokens[i].line;
  return 0;
}

// Kernels whose names `using namespace` may give other meanings, too, such as std::reduce: C++ has
// to choose by the arguments.
void forget_types(Declared &declared) {
  if (!declared.imports_names)
    return;
  const std::string names =
      " adjacent_difference apply clamp copy count equal exclusive_scan fill find for_each "
      "generate "
      "inclusive_scan inner_product iota max merge min partial_sum partition reduce remove replace "
      "reverse rotate search shuffle sort swap transform transform_reduce unique ";
  for (auto &[name, types] : declared.kernels)
    if (names.find(' ' + name + ' ') != names.npos)
      types.clear();
}

} // namespace

void rewrite(const Lexed &lexed, bool instrumented, Declared &declared, Edits &edits,
             std::vector<Error> &errors) {
  if (const int line = conflict(lexed)) {
    errors = {{line, "a conflict of git is not resolved: keep one of its two parts, and delete the "
                     "lines that begin with <<<<<<<, ======= and >>>>>>>"}};
    return;
  }
  find_specifiers(lexed, declared.specifiers);
  const Functions functions(lexed, declared.specifiers);
  if (functions.nested()) {
    errors = {missing_brace(lexed, *functions.nested())};
    return;
  }
  find_declared(lexed, functions, declared);
  if (functions.balanced()) { // else the compiler says what is missing
    check_kernel_rules(lexed, functions, declared, edits, errors);
    mark_host_operators(lexed, functions, edits);
    forget_types(declared);
    redirect_heap_uses(lexed, functions, declared, edits);
    refuse_variable_arrays(lexed, functions, edits);
  }
  define_architecture(lexed, functions, declared, edits);
  pass_kernel_parameters(lexed, declared, edits);
  own_device_code(lexed, functions, edits);
  warn_of_warp_exchange(lexed, functions, edits);
  if (instrumented && functions.balanced()) // else the program's own names are not known
    mark_dropped_results(lexed, functions, declared, edits);
  rewrite_syntax(lexed, functions, declared.kernels, instrumented, edits, errors);
}

} // namespace course_cpu::translator
