// Lesson 07, deep dive: the rounding errors of four ways to add floats on one CPU core.
//
// Build: g++ -O3 -std=c++17 -I. lessons/07-reduction/rounding.cpp -o rounding
// Run:   ./rounding [n]
#include "common/arguments.hpp"
#include "common/verify.hpp"

#include <cmath>
#include <cstdio>

float element(int i) { return i % 1021 / 1024.0f; } // the array of reduction.cu

// Adds elements first to last - 1 one after the other, in a sum of type T.
template <class T> T add_in_order(int first, int last) {
  T sum = 0;
  for (int i = first; i < last; ++i)
    sum += element(i);
  return sum;
}

// Adds the sums of both halves, which are computed in the same way.
float add_pairwise(int first, int last) {
  if (last - first <= 64)
    return add_in_order<float>(first, last);
  const int middle = first + (last - first) / 2;
  return add_pairwise(first, middle) + add_pairwise(middle, last);
}

// Kahan summation corrects each element by the rounding error of the previous addition.
float add_kahan(int first, int last) {
  float sum = 0, error = 0;
  for (int i = first; i < last; ++i) {
    const float x = element(i) - error, next = sum + x;
    error = (next - sum) - x; // 0 in exact arithmetic: -ffast-math would remove it
    sum = next;
  }
  return sum;
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 1, "[n]");
  const int n = course::count_argument(argc, argv, 1, "n", 1 << 28, 1 << 30);
  long long exact_1024 = 0; // the sum times 1024, as an integer
  for (int i = 0; i < n; ++i)
    exact_1024 += i % 1021;
  const double exact = exact_1024 / 1024.0;
  std::printf("%d floats, whose sum is %.3f\n\n", n, exact);
  const auto print = [&](const char *what, double sum) {
    std::printf("  %-28s %14.3f   relative error %.1e\n", what, sum, std::abs(sum - exact) / exact);
    return sum;
  };
  print("float, one after the other", add_in_order<float>(0, n));
  const double pairwise = print("float, pairwise", add_pairwise(0, n));
  const double kahan = print("float, Kahan", add_kahan(0, n));
  const double wide = print("double, one after the other", add_in_order<double>(0, n));
  std::puts("");
  bool correct = course::verify_value("pairwise", pairwise, exact, 1e-6);
  correct &= course::verify_value("Kahan", kahan, exact, 1e-6);
  correct &= course::verify_value("double", wide, exact);
  return course::verdict(correct);
}
