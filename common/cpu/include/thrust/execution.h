// How an algorithm of Thrust runs: on the device as a kernel of one thread, so the tools see what
// it does; the host waits for its end. Where no policy is given, iterators over device memory say
// device.
#pragma once

#include "execution_policy.h"
#include "iterators.h"

#include "../course_cpu/callables.h"

#include <new>
#include <tuple>
#include <type_traits>

COURSE_CPU_BOTH_SPACES

namespace course_cpu {

// ---- where, and on what ----

template <class Iterator> struct IsOnDevice : std::false_type {};
template <class T> struct IsOnDevice<thrust::device_ptr<T>> : std::true_type {};
template <class Function, class Iterator>
struct IsOnDevice<thrust::transform_iterator<Function, Iterator>> : IsOnDevice<Iterator> {};
template <class Elements>
struct IsOnDevice<thrust::reverse_iterator<Elements>> : IsOnDevice<Elements> {};
template <class... Iterators>
struct IsOnDevice<thrust::zip_iterator<thrust::tuple<Iterators...>>>
    : std::disjunction<IsOnDevice<Iterators>...> {};

// Iterators without memory go wherever the others are.
template <class Iterator> struct IsAnywhere : std::false_type {};
template <class T> struct IsAnywhere<thrust::counting_iterator<T>> : std::true_type {};
template <class T> struct IsAnywhere<thrust::constant_iterator<T>> : std::true_type {};
template <> struct IsAnywhere<thrust::discard_iterator> : std::true_type {};
template <class Function, class Iterator>
struct IsAnywhere<thrust::transform_iterator<Function, Iterator>> : IsAnywhere<Iterator> {};
template <class Elements>
struct IsAnywhere<thrust::reverse_iterator<Elements>> : IsAnywhere<Elements> {};
template <class... Iterators>
struct IsAnywhere<thrust::zip_iterator<thrust::tuple<Iterators...>>>
    : std::conjunction<IsAnywhere<Iterators>...> {};

template <class T, class = void> struct IsOnHost : std::false_type {};
template <class T>
struct IsOnHost<T, std::void_t<typename std::iterator_traits<T>::iterator_category>>
    : std::bool_constant<!IsOnDevice<T>::value && !IsAnywhere<T>::value> {};

// The iterator's replacement in a kernel.
template <class Iterator> Iterator in_kernel_code(Iterator iterator) { return iterator; }
template <class T> T *in_kernel_code(thrust::device_ptr<T> pointer) { return pointer.get(); }
template <class Function, class Iterator>
auto in_kernel_code(const thrust::transform_iterator<Function, Iterator> &iterator) {
  auto result = thrust::make_transform_iterator(in_kernel_code(iterator.base), iterator.function);
  result.position = iterator.position;
  return result;
}
template <class Elements> auto in_kernel_code(const thrust::reverse_iterator<Elements> &iterator) {
  auto result = thrust::make_reverse_iterator(in_kernel_code(iterator.elements));
  result.position = iterator.position;
  return result;
}
template <class... Iterators>
auto in_kernel_code(const thrust::zip_iterator<thrust::tuple<Iterators...>> &iterator) {
  auto result = std::apply(
      [](const auto &...each) { return thrust::make_zip_iterator(in_kernel_code(each)...); },
      iterator.iterators);
  result.position = iterator.position;
  return result;
}

template <class T>
constexpr bool is_policy =
    std::is_same<T, HostPolicy>::value || std::is_same<T, DevicePolicy>::value;

template <class Body> void run(const HostPolicy &, const char *, const Body &body) { body(); }

template <class Body> void run(const DevicePolicy &policy, const char *name, const Body &body) {
  const Site site{name, __FILE__, __LINE__};
  const Configuration configuration(1, 1, 0, policy.stream);
  if (!launch_allowed(configuration, site))
    return thrust_check(cudaPeekAtLastError(), name);
  enqueue(policy.stream, [=] { run_grid(site, configuration, body); });
  if (policy.waits)
    thrust_check(cudaStreamSynchronize(policy.stream), name);
}

// Managed memory without values, for as long as an algorithm takes.
template <class T> struct Scratch {
  T *data = nullptr;
  Scratch(std::size_t count, const char *name) {
    thrust_check(cudaMallocManaged(&data, count * sizeof(T)), name);
  }
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;
  ~Scratch() { cudaFree(data); } // waits for the kernel
};

// The same of a body that returns a value.
template <class T, class Body> T result_of(const HostPolicy &, const char *, const Body &body) {
  return body();
}

template <class T, class Body>
T result_of(const DevicePolicy &policy, const char *name, const Body &body) {
  const Scratch<T> result(1, name);
  run(DevicePolicy{policy.stream, true}, name, [=, data = result.data] { new (data) T(body()); });
  return *result.data;
}

template <class Iterator> using Value = typename std::iterator_traits<Iterator>::value_type;

// ---- without a policy ----

// Iterators without memory among themselves mean the device.
template <class... Arguments>
using PolicyOf = std::conditional_t<(IsOnDevice<Arguments>::value || ...) ||
                                        ((IsAnywhere<Arguments>::value || ...) &&
                                         !(IsOnHost<Arguments>::value || ...)),
                                    DevicePolicy, HostPolicy>;

} // namespace course_cpu

// thrust::NAME, with a policy or without, as GROUP::NAME above does it.
#define COURSE_CPU_ALGORITHM(GROUP, NAME)                                                          \
  template <class First, class... Rest> auto NAME(const First &first, const Rest &...rest) {       \
    if constexpr (course_cpu::is_policy<First>) {                                                  \
      if constexpr (std::is_same<First, course_cpu::DevicePolicy>::value)                          \
        course_cpu::expect_callable_by_kernels<Rest...>();                                         \
      return course_cpu::GROUP::NAME(first, rest...);                                              \
    } else {                                                                                       \
      return thrust::NAME(course_cpu::PolicyOf<First, Rest...>(), first, rest...);                 \
    }                                                                                              \
  }

COURSE_CPU_BOTH_SPACES_END
