// Lesson 07: what a sum in float loses, and what repairs it: pairwise summation, Kahan's, double.
// No GPU: one core.
//
// Build: g++ -O3 -std=c++17 -I. lessons/07-reduction/float-accuracy.cpp -o float-accuracy
// Run:   ./float-accuracy [n]
#include "common/arguments.hpp"
#include "common/verify.hpp"
#include "lessons/07-reduction/list.hpp"

#include <cmath>
#include <cstdio>

// One element after the other, in a sum of type T.
template <class T> T add_in_order(int first, int last) {
  T sum = 0;
  for (int i = first; i < last; ++i)
    sum += element(i);
  return sum;
}

// The sum of the first half plus the sum of the second half, each in the same way.
float add_pairwise(int first, int last) {
  if (last - first <= 64)
    return add_in_order<float>(first, last);
  const int middle = first + (last - first) / 2;
  return add_pairwise(first, middle) + add_pairwise(middle, last);
}

// Kahan: what an addition rounds away is subtracted from the next element.
// [kahan]
float add_kahan(int first, int last) {
  float sum = 0, lost = 0;
  for (int i = first; i < last; ++i) {
    const float x = element(i) - lost, next = sum + x;
    lost = (next - sum) - x; // 0 in exact arithmetic: -ffast-math would remove it
    sum = next;
  }
  return sum;
}
// [end]

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 1, "[n]");
  const int n = int(course::count_argument(argc, argv, 1, "n", 40'000'000, 1 << 30));
  const double exact = exact_sum(n);
  std::printf("%d floats, whose sum is %.3f, on one core:\n", n, exact);
  const auto show = [&](const char *what, double sum) {
    std::printf("   %-28s %13.3f   error %.1e\n", what, sum, std::abs(sum - exact) / exact);
    return sum;
  };
  const double in_order = show("float, one after the other", add_in_order<float>(0, n));
  const double pairwise = show("float, pairwise", add_pairwise(0, n));
  const double kahan = show("float, Kahan", add_kahan(0, n));
  const double wide = show("double, one after the other", add_in_order<double>(0, n));

  // Elements below 1 do not take a float past 2^24. The sum in double is exact: a multiple of 2^-24
  // below 2^29 has at most 53 bits.
  bool correct = course::verify_value("pairwise", pairwise, exact, 1e-6);
  correct = course::verify_value("kahan", kahan, exact, 1e-6) && correct;
  correct = course::verify_value("double", wide, exact) && correct;
  if (!(in_order <= 16777216)) {
    std::puts("  the sum in float is above 2^24");
    correct = false;
  }
  std::puts("");
  return course::verdict(correct);
}
