// Runs the passes over a file, and puts the result together.
#include "translation.hpp"

#include "passes.hpp"

namespace course_cpu::translator {
void rewrite(const Lexed &lexed, bool instrumented, Declared &declared, Edits &edits,
             std::vector<Error> &errors) {
  find_specifiers(lexed, declared.specifiers);
  const Functions functions(lexed, declared.specifiers);
  find_declared(lexed, functions, declared);
  const Pass pass(lexed, functions, declared, instrumented, edits, errors);
  if (functions.balanced()) { // else the compiler says what is missing
    check_kernel_rules(pass);
    mark_host_operators(pass);
    redirect_heap_uses(pass);
    refuse_variable_arrays(pass);
    tell_launch_bounds(pass);
  }
  define_architecture(pass);
  pass_kernel_parameters(pass);
  own_device_code(pass);
  if (instrumented && functions.balanced()) // else the program's own names are not known
    mark_dropped_results(pass);
  rewrite_syntax(pass);
}

} // namespace course_cpu::translator
