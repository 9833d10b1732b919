// kernel<<<...>>>(arguments): the launch, and the copies of its arguments that each thread gets.
#pragma once

#include "execution.h"

#include <type_traits>

namespace course_cpu {

// The argument 0: where the kernel takes no int, a null pointer or another number.
struct Zero {
  operator int() const { return 0; }
  template <class T> operator T *() const { return nullptr; }
};
template <class Argument>
using Plain = std::conditional_t<std::is_same_v<Argument, Zero>, int, Argument>;

// A launch whose arguments the kernel takes and a copy changes: 0L for a null pointer.
void unusual_arguments() __attribute__((
    error("a kernel gets copies of its arguments: write nullptr for a null pointer, not 0")));

// Arguments whose copies run code of the program. A launch makes one copy, and each thread gets the
// bits of that: no constructor and no destructor runs in a kernel. Compilers pass such a T by the
// address of a copy, so that a function which takes T can be called as one which takes T &.
template <class T>
constexpr bool copies_run_code =
    !std::is_trivially_copy_constructible_v<T> || !std::is_trivially_move_constructible_v<T> ||
    !std::is_trivially_destructible_v<T>;

template <class... Parameters> constexpr void check_parameters() {
  static_assert((sizeof(Parameters) + ... + 0) <= 32764,
                "the kernel has more than 32764 bytes of parameters, all that CUDA passes: copy "
                "large data to an array");
}

template <class T> struct Bits {
  alignas(T) char bytes[sizeof(T)];
  explicit Bits(const T &value) { __builtin_memcpy(bytes, &value, sizeof bytes); }
};
template <class T> using Kept = std::conditional_t<copies_run_code<T>, Bits<T>, T>;
template <class T> using Passed = std::conditional_t<copies_run_code<T>, T &, T>;

template <class T> Passed<T> passed(Kept<T> &argument) {
  if constexpr (copies_run_code<T>)
    return reinterpret_cast<T &>(argument);
  else
    return argument;
}

// The function that each thread of such a launch runs.
template <class... Parameters>
auto thread_of(void (*kernel)(Parameters...), const Kept<Parameters> &...values) {
  return [address = reinterpret_cast<void *>(kernel), values...] {
    const auto call = [address](Kept<Parameters>... own) {
      reinterpret_cast<void (*)(Passed<Parameters>...)>(address)(passed<Parameters>(own)...);
    };
    call(values...);
  };
}

// A kernel with __launch_bounds__: its body names `known`, so that the runtime knows them early.
template <auto kernel, unsigned threads, auto... others> struct Bounded {
  static inline const bool known =
      (add_bounds(reinterpret_cast<const void *>(kernel), threads), true);
};

// The kernel that takes such arguments; or, if only one is meant, such as k<64>, that one.
template <class... Arguments> auto pointer_of(void (*kernel)(Arguments...), Arguments *...) {
  return kernel;
}
template <class... Parameters, class... Arguments,
          class = std::enable_if_t<!std::is_same_v<void(Parameters...), void(Arguments...)>>>
auto pointer_of(void (*kernel)(Parameters...), Arguments *...) {
  return kernel;
}

// Queues a launch, whose threads all call the body. `kernel` may be nullptr: not known.
template <class Body>
void launch(const Site &site, const Configuration &configuration, const void *kernel,
            const Body &thread_body, size_t kernel_bytes = sizeof(void *)) {
  if (launch_allowed(configuration, site, kernel))
    queue_grid(site, configuration, body_of(thread_body, kernel_bytes));
}

// `values` are its arguments, copied once and handed to every thread by `call`.
template <class Call, class... Values>
void launch_with(const Site &site, const Configuration &configuration, const void *kernel,
                 const Call &call, Values... values) {
  launch(
      site, configuration, kernel, [call, values...] { call(values...); },
      std::is_empty_v<Call> ? 0 : sizeof call);
}

// The translation of kernel<<<...>>>; the arguments follow in parentheses.
template <class Call, class PointerTo> struct Launcher {
  Site site;
  Configuration configuration;
  Call call;
  PointerTo pointer_to;

  template <class... Arguments> void operator()(Arguments... arguments) const {
    check_parameters<Arguments...>();
    const void *kernel = nullptr; // not known
    if constexpr (std::is_invocable_v<const PointerTo &, Arguments *...>)
      kernel = reinterpret_cast<const void *>(pointer_to(static_cast<Arguments *>(nullptr)...));
    if constexpr ((copies_run_code<Arguments> || ...))
      if constexpr (std::is_invocable_r_v<void (*)(Arguments...), const PointerTo &,
                                          Arguments *...>)
        return launch(site, configuration, kernel,
                      thread_of<Arguments...>(pointer_to(static_cast<Arguments *>(nullptr)...),
                                              Kept<Arguments>(arguments)...));
    // If not, the compiler has said so: the translator lets it see the call as it is written.
    if constexpr (std::is_invocable_v<const Call &, const Plain<Arguments> &...>)
      launch_with<Call, Plain<Arguments>...>(site, configuration, kernel, call, arguments...);
    else if constexpr (std::is_invocable_v<const Call &, const Arguments &...>)
      launch_with<Call, Arguments...>(site, configuration, kernel, call, arguments...);
    else
      unusual_arguments();
  }
};

template <class Call, class PointerTo>
Launcher<Call, PointerTo> launcher(Site site, Configuration configuration, Call call,
                                   PointerTo pointer_to) {
  return {site, configuration, call, pointer_to};
}

// A launch in device code.
void launch_in_kernel() __attribute__((error(
    "a kernel launches a kernel (dynamic parallelism), which the CPU backend does not have: let "
    "the host launch it when this kernel has ended")));

// The same of a kernel whose name stands for one function: the arguments become its parameters.
template <class Call, class... Parameters> struct FunctionLauncher {
  Site site;
  Configuration configuration;
  Call call;

  void (*kernel)(Parameters...);

  void operator()(Parameters... arguments) const {
    check_parameters<Parameters...>();
    const auto *const address = reinterpret_cast<const void *>(kernel);
    if constexpr ((copies_run_code<Parameters> || ...))
      launch(site, configuration, address, thread_of(kernel, Kept<Parameters>(arguments)...));
    else
      launch_with<Call, Parameters...>(site, configuration, address, call, arguments...);
  }
};

template <class Call, class... Parameters>
FunctionLauncher<Call, Parameters...> launcher(Site site, Configuration configuration, Call call,
                                               void (*kernel)(Parameters...)) {
  return {site, configuration, call, kernel};
}

} // namespace course_cpu
