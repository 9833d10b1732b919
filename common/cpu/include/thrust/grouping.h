// Thrust's algorithms that bring elements into another order, or leave some out.
#pragma once

#include "execution.h"
#include "functional.h"

#include <algorithm>

COURSE_CPU_BOTH_SPACES

namespace course_cpu {

// With their policies.
struct Grouping {
  template <class P, class It> static void sort(P p, It begin, It end) {
    sort(p, begin, end, thrust::less<>());
  }
  template <class P, class It, class Less> static void sort(P p, It begin, It end, Less less) {
    if constexpr (std::is_pointer<decltype(in_kernel_code(begin))>::value)
      run(p, "thrust::sort",
          [b = in_kernel_code(begin), e = in_kernel_code(end), less] { std::sort(b, e, less); });
    else
      sort_pairs(p, "thrust::sort", begin, end, thrust::make_discard_iterator(), less);
  }
  template <class P, class Keys, class Values>
  static void sort_by_key(P p, Keys begin, Keys end, Values values) {
    sort_by_key(p, begin, end, values, thrust::less<>());
  }
  template <class P, class Keys, class Values, class Less>
  static void sort_by_key(P p, Keys begin, Keys end, Values values, Less less) {
    sort_pairs(p, "thrust::sort_by_key", begin, end, values, less);
  }
  template <class P, class Keys, class Values>
  static void stable_sort_by_key(P p, Keys begin, Keys end, Values values) {
    stable_sort_by_key(p, begin, end, values, thrust::less<>());
  }
  template <class P, class Keys, class Values, class Less>
  static void stable_sort_by_key(P p, Keys begin, Keys end, Values values, Less less) {
    sort_pairs(p, "thrust::stable_sort_by_key", begin, end, values, less);
  }

  // One key and one value for each run of equal neighbours among the keys; the ends of both.
  template <class P, class Keys, class Values, class OutKeys, class OutValues>
  static thrust::pair<OutKeys, OutValues> reduce_by_key(P p, Keys begin, Keys end, Values values,
                                                        OutKeys keys, OutValues sums) {
    return reduce_by_key(p, begin, end, values, keys, sums, thrust::equal_to<>());
  }
  template <class P, class Keys, class Values, class OutKeys, class OutValues, class Equal>
  static thrust::pair<OutKeys, OutValues> reduce_by_key(P p, Keys begin, Keys end, Values values,
                                                        OutKeys keys, OutValues sums, Equal equal) {
    return reduce_by_key(p, begin, end, values, keys, sums, equal, thrust::plus<>());
  }
  template <class P, class Keys, class Values, class OutKeys, class OutValues, class Equal,
            class Op>
  static thrust::pair<OutKeys, OutValues> reduce_by_key(P p, Keys begin, Keys end, Values values,
                                                        OutKeys keys, OutValues sums, Equal equal,
                                                        Op op) {
    const auto groups = result_of<std::ptrdiff_t>(
        p, "thrust::reduce_by_key",
        [b = in_kernel_code(begin), count = end - begin, v = in_kernel_code(values),
         k = in_kernel_code(keys), s = in_kernel_code(sums), equal, op] {
          std::ptrdiff_t group = 0;
          for (std::ptrdiff_t i = 0, next; i < count; i = next, ++group) {
            const Value<Keys> key = b[i];
            Value<Values> sum = v[i];
            for (next = i + 1; next < count && equal(b[next - 1], b[next]); ++next)
              sum = op(sum, v[next]);
            k[group] = key;
            s[group] = sum;
          }
          return group;
        });
    return {keys + groups, sums + groups};
  }

  // The first of each run of equal neighbours among the keys, with its value; the ends of both.
  template <class P, class Keys, class Values, class OutKeys, class OutValues>
  static thrust::pair<OutKeys, OutValues> unique_by_key_copy(P p, Keys begin, Keys end,
                                                             Values values, OutKeys keys_out,
                                                             OutValues values_out) {
    return unique_by_key_copy(p, begin, end, values, keys_out, values_out, thrust::equal_to<>());
  }
  template <class P, class Keys, class Values, class OutKeys, class OutValues, class Equal>
  static thrust::pair<OutKeys, OutValues> unique_by_key_copy(P p, Keys begin, Keys end,
                                                             Values values, OutKeys keys_out,
                                                             OutValues values_out, Equal equal) {
    const auto pairs = thrust::make_zip_iterator(begin, values);
    const auto out = thrust::make_zip_iterator(keys_out, values_out);
    const auto groups = select(p, "thrust::unique_by_key", pairs, pairs + (end - begin), out,
                               [equal](std::ptrdiff_t i, const auto &b) {
                                 return i == 0 || !equal(std::get<0>(b[i - 1]), std::get<0>(b[i]));
                               }) -
                        out;
    return {keys_out + groups, values_out + groups};
  }

  // The elements whose predicate, or whose stencil's, holds; the end of the result.
  template <class P, class In, class Out, class Predicate>
  static Out copy_if(P p, In begin, In end, Out out, Predicate predicate) {
    return select(p, "thrust::copy_if", begin, end, out,
                  [predicate](std::ptrdiff_t i, const auto &b) { return predicate(b[i]); });
  }
  template <class P, class In, class Stencil, class Out, class Predicate>
  static Out copy_if(P p, In begin, In end, Stencil stencil, Out out, Predicate predicate) {
    return select(p, "thrust::copy_if", begin, end, out,
                  [s = in_kernel_code(stencil), predicate](std::ptrdiff_t i, const auto &) {
                    return predicate(s[i]);
                  });
  }

  template <class P, class It, class T> static It remove(P p, It begin, It end, T value) {
    return select(p, "thrust::remove", begin, end, begin,
                  [value](std::ptrdiff_t i, const auto &b) { return !(b[i] == value); });
  }

private:
  // All sorts by key, and of iterators without an array: `name` is the one that was called.
  template <class P, class Keys, class Values, class Less>
  static void sort_pairs(P p, const char *name, Keys begin, Keys end, Values values, Less less) {
    struct Pair {
      Value<Keys> key;
      Value<Values> value;
      std::ptrdiff_t place;
    };
    const Scratch<Pair> scratch(end - begin + 1, name); // also for the host
    run(p, name,
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

  // The elements i for which selected(i, begin in kernel code) holds, in their order; the end of
  // the result, which may begin where the elements do.
  template <class P, class In, class Out, class Selected>
  static Out select(P p, const char *name, In begin, In end, Out out, Selected selected) {
    return out + result_of<std::ptrdiff_t>(p, name,
                                           [b = in_kernel_code(begin), count = end - begin,
                                            o = in_kernel_code(out), selected] {
                                             std::ptrdiff_t copied = 0;
                                             for (std::ptrdiff_t i = 0; i < count; ++i)
                                               if (selected(i, b))
                                                 o[copied++] = b[i];
                                             return copied;
                                           });
  }
};

} // namespace course_cpu

namespace thrust {

COURSE_CPU_ALGORITHM(Grouping, sort)
COURSE_CPU_ALGORITHM(Grouping, sort_by_key)
COURSE_CPU_ALGORITHM(Grouping, stable_sort_by_key)
COURSE_CPU_ALGORITHM(Grouping, reduce_by_key)
COURSE_CPU_ALGORITHM(Grouping, unique_by_key_copy)
COURSE_CPU_ALGORITHM(Grouping, copy_if)
COURSE_CPU_ALGORITHM(Grouping, remove)

} // namespace thrust

COURSE_CPU_BOTH_SPACES_END
