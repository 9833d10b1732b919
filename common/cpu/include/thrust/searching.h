// Thrust's searches in sorted elements, and copies by lists of indices.
#pragma once

#include "execution.h"
#include "functional.h"

#include <algorithm>

namespace course_cpu {

// With their policies.
struct Searching {
  // Where a value belongs among sorted elements: before those that are equal to it, or after them.
  template <class P, class It, class T> static It lower_bound(P p, It begin, It end, T value) {
    return lower_bound(p, begin, end, value, thrust::less<>());
  }
  template <class P, class It, class T, class Less>
  static It lower_bound(P p, It begin, It end, T value, Less less) {
    return begin + result_of<std::ptrdiff_t>(
                       p, "thrust::lower_bound",
                       [b = in_kernel_code(begin), count = end - begin, value, less] {
                         return first_that(count, [&](auto i) { return !less(b[i], value); });
                       });
  }
  template <class P, class It, class T> static It upper_bound(P p, It begin, It end, T value) {
    return upper_bound(p, begin, end, value, thrust::less<>());
  }
  template <class P, class It, class T, class Less>
  static It upper_bound(P p, It begin, It end, T value, Less less) {
    return begin + result_of<std::ptrdiff_t>(
                       p, "thrust::upper_bound",
                       [b = in_kernel_code(begin), count = end - begin, value, less] {
                         return first_that(count, [&](auto i) { return less(value, b[i]); });
                       });
  }

  // The same of each of several values: their places.
  template <class P, class It, class Values, class Out>
  static Out lower_bound(P p, It begin, It end, Values values, Values values_end, Out out) {
    return lower_bound(p, begin, end, values, values_end, out, thrust::less<>());
  }
  template <class P, class It, class Values, class Out, class Less>
  static Out lower_bound(P p, It begin, It end, Values values, Values values_end, Out out,
                         Less less) {
    run(p, "thrust::lower_bound",
        [b = in_kernel_code(begin), count = end - begin, v = in_kernel_code(values),
         searches = values_end - values, o = in_kernel_code(out), less] {
          for (std::ptrdiff_t k = 0; k < searches; ++k)
            o[k] = first_that(count, [&](auto i) { return !less(b[i], v[k]); });
        });
    return out + (values_end - values);
  }
  template <class P, class It, class Values, class Out>
  static Out upper_bound(P p, It begin, It end, Values values, Values values_end, Out out) {
    return upper_bound(p, begin, end, values, values_end, out, thrust::less<>());
  }
  template <class P, class It, class Values, class Out, class Less>
  static Out upper_bound(P p, It begin, It end, Values values, Values values_end, Out out,
                         Less less) {
    run(p, "thrust::upper_bound",
        [b = in_kernel_code(begin), count = end - begin, v = in_kernel_code(values),
         searches = values_end - values, o = in_kernel_code(out), less] {
          for (std::ptrdiff_t k = 0; k < searches; ++k)
            o[k] = first_that(count, [&](auto i) { return less(v[k], b[i]); });
        });
    return out + (values_end - values);
  }

  // out[i] = in[map[i]]
  template <class P, class Map, class In, class Out>
  static Out gather(P p, Map begin, Map end, In in, Out out) {
    run(p, "thrust::gather",
        [m = in_kernel_code(begin), count = end - begin, b = in_kernel_code(in),
         o = in_kernel_code(out)] {
          for (std::ptrdiff_t i = 0; i < count; ++i)
            o[i] = b[m[i]];
        });
    return out + (end - begin);
  }

  // out[map[i]] = in[i]
  template <class P, class In, class Map, class Out>
  static void scatter(P p, In begin, In end, Map map, Out out) {
    run(p, "thrust::scatter",
        [b = in_kernel_code(begin), count = end - begin, m = in_kernel_code(map),
         o = in_kernel_code(out)] {
          for (std::ptrdiff_t i = 0; i < count; ++i)
            o[m[i]] = b[i];
        });
  }

private:
  // The first of 0 to count - 1 for which `holds` does, as it does for all after it; else count.
  template <class Holds> static std::ptrdiff_t first_that(std::ptrdiff_t count, Holds holds) {
    std::ptrdiff_t first = 0;
    while (count > 0) {
      const std::ptrdiff_t half = count / 2;
      if (holds(first + half)) {
        count = half;
      } else {
        first += half + 1;
        count -= half + 1;
      }
    }
    return first;
  }
};

} // namespace course_cpu

namespace thrust {

COURSE_CPU_ALGORITHM(Searching, lower_bound)
COURSE_CPU_ALGORITHM(Searching, upper_bound)
COURSE_CPU_ALGORITHM(Searching, gather)
COURSE_CPU_ALGORITHM(Searching, scatter)

} // namespace thrust
