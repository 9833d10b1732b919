// Thrust's searches in sorted elements, and copies by lists of indices.
#pragma once

#include "execution.h"
#include "functional.h"

#include <algorithm>

COURSE_CPU_BOTH_SPACES

namespace course_cpu {

// With their policies.
struct Searching {
  // The position of a value among sorted elements: before those that are equal to it, or after
  // them.
  template <class P, class It, class T> static It lower_bound(P p, It begin, It end, T value) {
    return lower_bound(p, begin, end, value, thrust::less<>());
  }
  template <class P, class It, class T, class Less>
  static It lower_bound(P p, It begin, It end, T value, Less less) {
    return place(p, "thrust::lower_bound", begin, end, value, not_before(less));
  }
  template <class P, class It, class T> static It upper_bound(P p, It begin, It end, T value) {
    return upper_bound(p, begin, end, value, thrust::less<>());
  }
  template <class P, class It, class T, class Less>
  static It upper_bound(P p, It begin, It end, T value, Less less) {
    return place(p, "thrust::upper_bound", begin, end, value, behind(less));
  }

  // The same of each of several values: their places.
  template <class P, class It, class Values, class Out>
  static Out lower_bound(P p, It begin, It end, Values values, Values values_end, Out out) {
    return lower_bound(p, begin, end, values, values_end, out, thrust::less<>());
  }
  template <class P, class It, class Values, class Out, class Less>
  static Out lower_bound(P p, It begin, It end, Values values, Values values_end, Out out,
                         Less less) {
    return places(p, "thrust::lower_bound", begin, end, values, values_end, out, not_before(less));
  }
  template <class P, class It, class Values, class Out>
  static Out upper_bound(P p, It begin, It end, Values values, Values values_end, Out out) {
    return upper_bound(p, begin, end, values, values_end, out, thrust::less<>());
  }
  template <class P, class It, class Values, class Out, class Less>
  static Out upper_bound(P p, It begin, It end, Values values, Values values_end, Out out,
                         Less less) {
    return places(p, "thrust::upper_bound", begin, end, values, values_end, out, behind(less));
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
  // True if an element may come after a value that is inserted before its equals, or after them.
  template <class Less> static auto not_before(Less less) {
    return [less](const auto &element, const auto &value) { return !less(element, value); };
  }
  template <class Less> static auto behind(Less less) {
    return [less](const auto &element, const auto &value) { return less(value, element); };
  }

  template <class P, class It, class T, class After>
  static It place(P p, const char *name, It begin, It end, T value, After after) {
    return begin + result_of<std::ptrdiff_t>(
                       p, name, [b = in_kernel_code(begin), count = end - begin, value, after] {
                         return first_that(count, [&](auto i) { return after(b[i], value); });
                       });
  }
  template <class P, class It, class Values, class Out, class After>
  static Out places(P p, const char *name, It begin, It end, Values values, Values values_end,
                    Out out, After after) {
    run(p, name,
        [b = in_kernel_code(begin), count = end - begin, v = in_kernel_code(values),
         searches = values_end - values, o = in_kernel_code(out), after] {
          for (std::ptrdiff_t k = 0; k < searches; ++k)
            o[k] = first_that(count, [&](auto i) { return after(b[i], v[k]); });
        });
    return out + (values_end - values);
  }

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

COURSE_CPU_BOTH_SPACES_END
