// Thrust's algorithms. On the device each is a kernel of one thread, so the tools see what it does;
// the host waits for its end. Where no policy is given, iterators over device memory say device.
#pragma once

#include "execution_policy.h"
#include "functional.h"
#include "iterators.h"

#include <algorithm>
#include <memory>
#include <new>
#include <numeric>
#include <utility>

namespace course_cpu {

// ---- where, and on what ----

template <class Iterator> struct IsOnDevice : std::false_type {};
template <class T> struct IsOnDevice<thrust::device_ptr<T>> : std::true_type {};
template <class Function, class Iterator>
struct IsOnDevice<thrust::transform_iterator<Function, Iterator>> : IsOnDevice<Iterator> {};

// Iterators without memory go wherever the others are.
template <class Iterator> struct IsAnywhere : std::false_type {};
template <class T> struct IsAnywhere<thrust::counting_iterator<T>> : std::true_type {};
template <class T> struct IsAnywhere<thrust::constant_iterator<T>> : std::true_type {};
template <class Function, class Iterator>
struct IsAnywhere<thrust::transform_iterator<Function, Iterator>> : IsAnywhere<Iterator> {};

template <class T, class = void> struct IsOnHost : std::false_type {};
template <class T>
struct IsOnHost<T, std::void_t<typename std::iterator_traits<T>::iterator_category>>
    : std::bool_constant<!IsOnDevice<T>::value && !IsAnywhere<T>::value> {};

// What stands for the iterator in a kernel.
template <class Iterator> Iterator in_kernel_code(Iterator iterator) { return iterator; }
template <class T> T *in_kernel_code(thrust::device_ptr<T> pointer) { return pointer.get(); }
template <class Function, class Iterator>
auto in_kernel_code(const thrust::transform_iterator<Function, Iterator> &iterator) {
  auto result = thrust::make_transform_iterator(in_kernel_code(iterator.base), iterator.function);
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

// ---- the algorithms, with their policies ----

struct Algorithms {
  template <class P, class It, class T> static void fill(P p, It begin, It end, T value) {
    run(p, "thrust::fill",
        [b = in_kernel_code(begin), e = in_kernel_code(end), value] { std::fill(b, e, value); });
  }

  template <class P, class It> static void sequence(P p, It begin, It end) {
    sequence(p, begin, end, Value<It>(0));
  }
  template <class P, class It, class T> static void sequence(P p, It begin, It end, T first) {
    sequence(p, begin, end, first, T(1));
  }
  template <class P, class It, class T>
  static void sequence(P p, It begin, It end, T first, T step) {
    run(p, "thrust::sequence", [b = in_kernel_code(begin), e = in_kernel_code(end), first, step] {
      for (std::ptrdiff_t i = 0; i < e - b; ++i)
        b[i] = static_cast<Value<It>>(first + static_cast<T>(i) * step);
    });
  }

  template <class P, class In, class Out> static Out copy(P p, In begin, In end, Out out) {
    run(p, "thrust::copy",
        [b = in_kernel_code(begin), e = in_kernel_code(end), o = in_kernel_code(out)] {
          std::copy(b, e, o);
        });
    return out + (end - begin);
  }

  template <class P, class In, class Function>
  static In for_each(P p, In begin, In end, Function function) {
    run(p, "thrust::for_each", [b = in_kernel_code(begin), e = in_kernel_code(end), function] {
      std::for_each(b, e, function);
    });
    return end;
  }

  template <class P, class In, class Out, class Function>
  static Out transform(P p, In begin, In end, Out out, Function function) {
    run(p, "thrust::transform",
        [b = in_kernel_code(begin), e = in_kernel_code(end), o = in_kernel_code(out), function] {
          std::transform(b, e, o, function);
        });
    return out + (end - begin);
  }
  template <class P, class In, class Second, class Out, class Function>
  static Out transform(P p, In begin, In end, Second second, Out out, Function function) {
    run(p, "thrust::transform",
        [b = in_kernel_code(begin), e = in_kernel_code(end), s = in_kernel_code(second),
         o = in_kernel_code(out), function] { std::transform(b, e, s, o, function); });
    return out + (end - begin);
  }

  template <class P, class In> static Value<In> reduce(P p, In begin, In end) {
    return reduce(p, begin, end, Value<In>(0));
  }
  template <class P, class In, class T> static T reduce(P p, In begin, In end, T init) {
    return reduce(p, begin, end, init, thrust::plus<>());
  }
  template <class P, class In, class T, class Op>
  static T reduce(P p, In begin, In end, T init, Op op) {
    return result_of<T>(p, "thrust::reduce",
                        [b = in_kernel_code(begin), e = in_kernel_code(end), init, op] {
                          return std::accumulate(b, e, init, op);
                        });
  }

  template <class P, class In, class Function, class T, class Op>
  static T transform_reduce(P p, In begin, In end, Function function, T init, Op op) {
    return result_of<T>(p, "thrust::transform_reduce",
                        [b = in_kernel_code(begin), e = in_kernel_code(end), function, init, op] {
                          T result = init;
                          for (auto i = b; i != e; ++i)
                            result = op(result, function(*i));
                          return result;
                        });
  }

  template <class P, class In, class Second, class T>
  static T inner_product(P p, In begin, In end, Second second, T init) {
    return inner_product(p, begin, end, second, init, thrust::plus<>(), thrust::multiplies<>());
  }
  template <class P, class In, class Second, class T, class Sum, class Product>
  static T inner_product(P p, In begin, In end, Second second, T init, Sum sum, Product product) {
    return result_of<T>(p, "thrust::inner_product",
                        [b = in_kernel_code(begin), e = in_kernel_code(end),
                         s = in_kernel_code(second), init, sum,
                         product] { return std::inner_product(b, e, s, init, sum, product); });
  }

  template <class P, class It> static void sort(P p, It begin, It end) {
    sort(p, begin, end, thrust::less<>());
  }
  template <class P, class It, class Less> static void sort(P p, It begin, It end, Less less) {
    run(p, "thrust::sort",
        [b = in_kernel_code(begin), e = in_kernel_code(end), less] { std::sort(b, e, less); });
  }
  template <class P, class Keys, class Values>
  static void sort_by_key(P p, Keys begin, Keys end, Values values) {
    sort_by_key(p, begin, end, values, thrust::less<>());
  }
  template <class P, class Keys, class Values, class Less>
  static void sort_by_key(P p, Keys begin, Keys end, Values values, Less less) {
    struct Pair {
      Value<Keys> key;
      Value<Values> value;
      std::ptrdiff_t place;
    };
    const Scratch<Pair> scratch(end - begin + 1, "thrust::sort_by_key"); // also for the host
    run(p, "thrust::sort_by_key",
        [b = in_kernel_code(begin), count = end - begin, v = in_kernel_code(values), less,
         pairs = scratch.data] {
          for (std::ptrdiff_t i = 0; i < count; ++i)
            new (pairs + i) Pair{b[i], v[i], i};
          std::sort(pairs, pairs + count, [&](const Pair &x, const Pair &y) {
            return less(x.key, y.key) || (!less(y.key, x.key) && x.place < y.place);
          });
          for (std::ptrdiff_t i = 0; i < count; ++i) {
            b[i] = pairs[i].key;
            v[i] = pairs[i].value;
          }
        });
  }

  template <class P, class In, class Out>
  static Out inclusive_scan(P p, In begin, In end, Out out) {
    return inclusive_scan(p, begin, end, out, thrust::plus<>());
  }
  template <class P, class In, class Out, class Op>
  static Out inclusive_scan(P p, In begin, In end, Out out, Op op) {
    run(p, "thrust::inclusive_scan",
        [b = in_kernel_code(begin), e = in_kernel_code(end), o = in_kernel_code(out), op] {
          std::partial_sum(b, e, o, op);
        });
    return out + (end - begin);
  }
  template <class P, class In, class Out>
  static Out exclusive_scan(P p, In begin, In end, Out out) {
    return exclusive_scan(p, begin, end, out, Value<In>(0));
  }
  template <class P, class In, class Out, class T>
  static Out exclusive_scan(P p, In begin, In end, Out out, T init) {
    return exclusive_scan(p, begin, end, out, init, thrust::plus<>());
  }
  template <class P, class In, class Out, class T, class Op>
  static Out exclusive_scan(P p, In begin, In end, Out out, T init, Op op) {
    run(p, "thrust::exclusive_scan",
        [b = in_kernel_code(begin), e = in_kernel_code(end), o = in_kernel_code(out), init, op] {
          T before = init;
          for (std::ptrdiff_t i = 0; i < e - b; ++i) {
            const Value<In> value = b[i]; // `out` may be `begin`
            o[i] = before;
            before = op(before, value);
          }
        });
    return out + (end - begin);
  }

  template <class P, class In, class T>
  static std::ptrdiff_t count(P p, In begin, In end, T value) {
    return count_if(p, begin, end, [value](const Value<In> &other) { return other == value; });
  }
  template <class P, class In, class Predicate>
  static std::ptrdiff_t count_if(P p, In begin, In end, Predicate predicate) {
    return result_of<std::ptrdiff_t>(p, "thrust::count_if",
                                     [b = in_kernel_code(begin), e = in_kernel_code(end),
                                      predicate] { return std::count_if(b, e, predicate); });
  }

  template <class P, class In> static In min_element(P p, In begin, In end) {
    return begin + result_of<std::ptrdiff_t>(p, "thrust::min_element",
                                             [b = in_kernel_code(begin), e = in_kernel_code(end)] {
                                               return std::min_element(b, e) - b;
                                             });
  }
  template <class P, class In> static In max_element(P p, In begin, In end) {
    return begin + result_of<std::ptrdiff_t>(p, "thrust::max_element",
                                             [b = in_kernel_code(begin), e = in_kernel_code(end)] {
                                               return std::max_element(b, e) - b;
                                             });
  }
};

// ---- without a policy ----

// Iterators without memory among themselves mean the device.
template <class... Arguments>
using PolicyOf = std::conditional_t<(IsOnDevice<Arguments>::value || ...) ||
                                        ((IsAnywhere<Arguments>::value || ...) &&
                                         !(IsOnHost<Arguments>::value || ...)),
                                    DevicePolicy, HostPolicy>;

// Between host and device.
template <class In, class Out> Out copy_across(In begin, In end, Out out) {
  const std::ptrdiff_t count = end - begin;
  if constexpr (IsOnDevice<In>::value) {
    std::unique_ptr<Value<In>[]> values(new Value<In>[count]);
    thrust_check(cudaMemcpy(values.get(), in_kernel_code(begin), count * sizeof(Value<In>),
                            cudaMemcpyDeviceToHost),
                 "thrust::copy");
    return std::copy(values.get(), values.get() + count, out);
  } else {
    std::unique_ptr<Value<Out>[]> values(new Value<Out>[count]);
    std::copy(begin, end, values.get());
    thrust_check(cudaMemcpy(in_kernel_code(out), values.get(), count * sizeof(Value<Out>),
                            cudaMemcpyHostToDevice),
                 "thrust::copy");
    return out + count;
  }
}

} // namespace course_cpu

namespace thrust {

#define COURSE_CPU_ALGORITHM(NAME)                                                                 \
  template <class First, class... Rest> auto NAME(const First &first, const Rest &...rest) {       \
    if constexpr (course_cpu::is_policy<First>)                                                    \
      return course_cpu::Algorithms::NAME(first, rest...);                                         \
    else                                                                                           \
      return course_cpu::Algorithms::NAME(course_cpu::PolicyOf<First, Rest...>(), first, rest...); \
  }
COURSE_CPU_ALGORITHM(fill)
COURSE_CPU_ALGORITHM(sequence)
COURSE_CPU_ALGORITHM(for_each)
COURSE_CPU_ALGORITHM(transform)
COURSE_CPU_ALGORITHM(reduce)
COURSE_CPU_ALGORITHM(transform_reduce)
COURSE_CPU_ALGORITHM(inner_product)
COURSE_CPU_ALGORITHM(sort)
COURSE_CPU_ALGORITHM(sort_by_key)
COURSE_CPU_ALGORITHM(inclusive_scan)
COURSE_CPU_ALGORITHM(exclusive_scan)
COURSE_CPU_ALGORITHM(count)
COURSE_CPU_ALGORITHM(count_if)
COURSE_CPU_ALGORITHM(min_element)
COURSE_CPU_ALGORITHM(max_element)
#undef COURSE_CPU_ALGORITHM

template <class Policy, class In, class Out>
Out copy(const Policy &policy, In begin, In end, Out out) {
  return course_cpu::Algorithms::copy(policy, begin, end, out);
}
template <class In, class Out> Out copy(In begin, In end, Out out) {
  if constexpr (course_cpu::IsAnywhere<In>::value ||
                course_cpu::IsOnDevice<In>::value == course_cpu::IsOnDevice<Out>::value)
    return course_cpu::Algorithms::copy(course_cpu::PolicyOf<In, Out>(), begin, end, out);
  else
    return course_cpu::copy_across(begin, end, out);
}
template <class In, class Out> Out copy_n(In begin, std::size_t count, Out out) {
  return thrust::copy(begin, begin + count, out);
}
template <class It, class T> It fill_n(It begin, std::size_t count, T value) {
  thrust::fill(begin, begin + count, value);
  return begin + count;
}

} // namespace thrust
