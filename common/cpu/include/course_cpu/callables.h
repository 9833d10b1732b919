// Refuses function objects that a library's kernels cannot call: lambdas, which nvcc refuses
// without --extended-lambda, and objects whose operator() is host code, which nvcc does not report.
#pragma once

#include <string_view>
#include <type_traits>

COURSE_CPU_BOTH_SPACES

namespace course_cpu {

// True if the type is a lambda's, or a template with such an argument.
template <class T> constexpr bool has_lambda() {
  constexpr std::string_view name = __PRETTY_FUNCTION__;
  return name.find("<lambda(") != name.npos || name.find("(lambda at ") != name.npos;
}

// The translator marks classes whose operator() is host code.
template <class T, class = void> struct IsMarked : std::false_type {};
template <class T>
struct IsMarked<T, std::void_t<typename T::course_cpu_host_operator>> : std::true_type {};

// True if the type is such a class, or a template with such an argument.
template <class T> struct HasHostOperator : IsMarked<T> {};
template <template <class...> class Template, class... Arguments>
struct HasHostOperator<Template<Arguments...>>
    : std::disjunction<IsMarked<Template<Arguments...>>, HasHostOperator<Arguments>...> {};

template <class... Types> constexpr void expect_callable_by_kernels() {
#ifndef __CUDACC_EXTENDED_LAMBDA__
  static_assert(!(has_lambda<Types>() || ...),
                "the kernels of a library cannot call this lambda: pass an object whose operator() "
                "is __host__ __device__ (or write [=] __device__ and compile with "
                "--extended-lambda)");
#endif
  static_assert(!(HasHostOperator<Types>::value || ...),
                "the kernels of a library call this object's operator(), which is host code: "
                "declare it __host__ __device__");
}

} // namespace course_cpu

COURSE_CPU_BOTH_SPACES_END
