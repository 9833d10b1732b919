// Thrust's algorithms that take each element for itself, and its reductions and scans.
#pragma once

#include "execution.h"
#include "functional.h"

#include <algorithm>
#include <memory>
#include <numeric>

COURSE_CPU_BOTH_SPACES

namespace course_cpu {

// Combines the next 2^level leaves as a tree, in their order; each leaf is a loop.
template <class T, class It, class Function, class Op>
T next_combined(It &i, const It &end, const Function &function, const Op &op, unsigned level) {
  if (level == 0) {
    T result = static_cast<T>(function(*i));
    for (int n = 1; ++i != end && n < 1024; ++n)
      result = op(result, function(*i));
    return result;
  }
  T result = next_combined<T>(i, end, function, op, level - 1);
  if (i != end)
    result = op(result, next_combined<T>(i, end, function, op, level - 1));
  return result;
}

// A reduction as on a GPU: the rounding errors of a sum do not grow with the number of its terms,
// and ones that are counted in float are more than 2^24.
template <class T, class It, class Function, class Op>
T combined(It begin, const It &end, T init, const Function &function, const Op &op) {
  for (unsigned level = 0; begin != end; ++level)
    init = op(init, next_combined<T>(begin, end, function, op, level));
  return init;
}

// With their policies.
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

  template <class P, class It, class Generator>
  static void generate(P p, It begin, It end, Generator generator) {
    run(p, "thrust::generate", [b = in_kernel_code(begin), e = in_kernel_code(end), generator] {
      Generator its = generator;
      for (auto i = b; i != e; ++i)
        *i = its();
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
    return transform_reduce(
        p, begin, end, [](const auto &value) { return value; }, init, op, "thrust::reduce");
  }

  template <class P, class In, class Function, class T, class Op>
  static T transform_reduce(P p, In begin, In end, Function function, T init, Op op,
                            const char *name = "thrust::transform_reduce") {
    return result_of<T>(p, name,
                        [b = in_kernel_code(begin), e = in_kernel_code(end), function, init, op] {
                          return combined(b, e, init, function, op);
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
                         s = in_kernel_code(second), init, sum, product] {
                          auto second = s;
                          return combined(
                              b, e, init,
                              [&](const auto &first) { return product(first, *second++); }, sum);
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

  // The first element as it is, then each one's difference from the one before it.
  template <class P, class In, class Out>
  static Out adjacent_difference(P p, In begin, In end, Out out) {
    return adjacent_difference(p, begin, end, out, thrust::minus<>());
  }
  template <class P, class In, class Out, class Op>
  static Out adjacent_difference(P p, In begin, In end, Out out, Op op) {
    run(p, "thrust::adjacent_difference",
        [b = in_kernel_code(begin), e = in_kernel_code(end), o = in_kernel_code(out), op] {
          std::adjacent_difference(b, e, o, op);
        });
    return out + (end - begin);
  }

  // A scan of its own for each run of equal neighbours among the keys.
  template <class P, class Keys, class Values, class Out>
  static Out inclusive_scan_by_key(P p, Keys begin, Keys end, Values values, Out out) {
    return inclusive_scan_by_key(p, begin, end, values, out, thrust::equal_to<>());
  }
  template <class P, class Keys, class Values, class Out, class Equal>
  static Out inclusive_scan_by_key(P p, Keys begin, Keys end, Values values, Out out, Equal equal) {
    return inclusive_scan_by_key(p, begin, end, values, out, equal, thrust::plus<>());
  }
  template <class P, class Keys, class Values, class Out, class Equal, class Op>
  static Out inclusive_scan_by_key(P p, Keys begin, Keys end, Values values, Out out, Equal equal,
                                   Op op) {
    run(p, "thrust::inclusive_scan_by_key",
        [k = in_kernel_code(begin), count = end - begin, v = in_kernel_code(values),
         o = in_kernel_code(out), equal, op] {
          for (std::ptrdiff_t i = 0, next; i < count; i = next) {
            Value<Values> sum = v[i];
            o[i] = sum;
            for (next = i + 1; next < count && equal(k[next - 1], k[next]); ++next)
              o[next] = sum = op(sum, v[next]);
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

  template <class P, class In, class Predicate>
  static In find_if(P p, In begin, In end, Predicate predicate) {
    return begin +
           result_of<std::ptrdiff_t>(p, "thrust::find_if",
                                     [b = in_kernel_code(begin), e = in_kernel_code(end),
                                      predicate] { return std::find_if(b, e, predicate) - b; });
  }

  template <class P, class In> static bool is_sorted(P p, In begin, In end) {
    return is_sorted(p, begin, end, thrust::less<>());
  }
  template <class P, class In, class Less> static bool is_sorted(P p, In begin, In end, Less less) {
    return result_of<bool>(p, "thrust::is_sorted",
                           [b = in_kernel_code(begin), e = in_kernel_code(end), less] {
                             return std::is_sorted(b, e, less);
                           });
  }

  // The first of the smallest elements, the first of the largest.
  template <class P, class In> static In min_element(P p, In begin, In end) {
    return min_element(p, begin, end, thrust::less<>());
  }
  template <class P, class In, class Less> static In min_element(P p, In begin, In end, Less less) {
    return begin + result_of<std::ptrdiff_t>(p, "thrust::min_element",
                                             [b = in_kernel_code(begin), e = in_kernel_code(end),
                                              less] { return std::min_element(b, e, less) - b; });
  }
  template <class P, class In> static In max_element(P p, In begin, In end) {
    return max_element(p, begin, end, thrust::less<>());
  }
  template <class P, class In, class Less> static In max_element(P p, In begin, In end, Less less) {
    return begin + result_of<std::ptrdiff_t>(p, "thrust::max_element",
                                             [b = in_kernel_code(begin), e = in_kernel_code(end),
                                              less] { return std::max_element(b, e, less) - b; });
  }

  // Behind the last of sorted elements that does not come after the value.
  template <class P, class It, class T> static It upper_bound(P p, It begin, It end, T value) {
    return upper_bound(p, begin, end, value, thrust::less<>());
  }
  template <class P, class It, class T, class Less>
  static It upper_bound(P p, It begin, It end, T value, Less less) {
    return begin +
           result_of<std::ptrdiff_t>(p, "thrust::upper_bound",
                                     [b = in_kernel_code(begin), e = in_kernel_code(end), value,
                                      less] { return std::upper_bound(b, e, value, less) - b; });
  }
};

// Between host and device.
template <class In, class Out> Out copy_across(In begin, In end, Out out) {
  const std::ptrdiff_t count = end - begin;
  if constexpr (IsOnDevice<In>::value && !std::is_pointer<decltype(in_kernel_code(begin))>::value) {
    const Scratch<Value<In>> values(count + 1, "thrust::copy");
    Algorithms::copy(DevicePolicy(), begin, end, values.data);
    return std::copy(values.data, values.data + count, out);
  } else if constexpr (IsOnDevice<In>::value) {
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

COURSE_CPU_ALGORITHM(Algorithms, fill)
COURSE_CPU_ALGORITHM(Algorithms, sequence)
COURSE_CPU_ALGORITHM(Algorithms, generate)
COURSE_CPU_ALGORITHM(Algorithms, for_each)
COURSE_CPU_ALGORITHM(Algorithms, transform)
COURSE_CPU_ALGORITHM(Algorithms, reduce)
COURSE_CPU_ALGORITHM(Algorithms, transform_reduce)
COURSE_CPU_ALGORITHM(Algorithms, inner_product)
COURSE_CPU_ALGORITHM(Algorithms, inclusive_scan)
COURSE_CPU_ALGORITHM(Algorithms, exclusive_scan)
COURSE_CPU_ALGORITHM(Algorithms, adjacent_difference)
COURSE_CPU_ALGORITHM(Algorithms, inclusive_scan_by_key)
COURSE_CPU_ALGORITHM(Algorithms, count)
COURSE_CPU_ALGORITHM(Algorithms, count_if)
COURSE_CPU_ALGORITHM(Algorithms, find_if)
COURSE_CPU_ALGORITHM(Algorithms, is_sorted)
COURSE_CPU_ALGORITHM(Algorithms, min_element)
COURSE_CPU_ALGORITHM(Algorithms, max_element)
COURSE_CPU_ALGORITHM(Algorithms, upper_bound)

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

COURSE_CPU_BOTH_SPACES_END
