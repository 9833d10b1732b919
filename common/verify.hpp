// A program checks its results: it compares every value with an independent reference.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace course {

// True if `got` equals `want`, with a tolerance of `relative` * |want| (0: the same value). Every
// comparison with NaN is false, so NaN is never within the tolerance. Infinity has no tolerance.
inline bool within(double got, double want, double relative) {
  return got == want || (std::isfinite(want) && std::abs(got - want) <= relative * std::abs(want));
}

// True if got[i] equals want(i) for all i in 0..n-1, with a tolerance of `relative` * |want(i)| (0:
// the same value as double). Prints the first three wrong values, under the name `what`.
template <class T, class Want>
bool verify(const char *what, const T *got, std::size_t n, Want want, double relative = 0) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double value = got[i], wanted = want(i);
    if (within(value, wanted, relative))
      continue;
    if (++wrong <= 3)
      std::printf("  %s[%zu] is %.10g, but should be %.10g\n", what, i, value, wanted);
  }
  if (wrong > 0)
    std::printf("  %s: %zu of %zu values are wrong\n", what, wrong, n);
  return wrong == 0;
}

// True if the single value `got` equals `want`, as above. Otherwise prints both.
inline bool verify_value(const char *what, double got, double want, double relative = 0) {
  const bool correct = within(got, want, relative);
  if (!correct)
    std::printf("  %s is %.10g, but should be %.10g\n", what, got, want);
  return correct;
}

// Prints the last line of a program, PASS or FAIL, and returns the exit code for it.
inline int verdict(bool correct) {
  std::puts(correct ? "PASS" : "FAIL");
  return correct ? EXIT_SUCCESS : EXIT_FAILURE;
}

} // namespace course
