// Inputs for the judges of lesson 08: the sizes of a product, and numbers that leave no digit to
// rounding.
#pragma once

#include "common/grader/judge/judge.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using Matrix = std::vector<float>; // row by row

struct Size {
  int m, n, k; // C is m x n, A is m x k, B is k x n
};

inline std::string text_of(Size size) {
  return "C (" + std::to_string(size.m) + " x " + std::to_string(size.n) +
         "), k = " + std::to_string(size.k);
}

// Each dimension from all families of sizes, and each once far longer than the others.
inline std::vector<Size> sizes(course::Judge &judge) {
  const auto m = judge.sizes(96), n = judge.sizes(96), k = judge.sizes(96);
  std::vector<Size> drawn;
  for (std::size_t i = 0; i < m.size(); ++i)
    drawn.push_back({m[i], n[i], k[i]});
  const auto few = [&] { return judge.number(1, 6); };
  const auto many = [&] { return judge.number(400, 900); };
  drawn.push_back({many(), few(), few()});
  drawn.push_back({few(), many(), few()});
  drawn.push_back({few(), few(), many()});
  return drawn;
}

// More blocks than a grid has in y or z, should each have one row, one column, or one term; and
// each matrix once as large as it may be.
inline std::vector<Size> large_sizes(course::Judge &judge) {
  const auto many = [&] { return judge.number(99'000, 100'000); };
  const auto side = [&] { return judge.number(991, 1000); };
  return {{many(), 1, 3},      {judge.number(2, 3), many(), 2},
          {2, 1, many()},      {side(), side(), 2},
          {side(), 2, side()}, {2, side(), side()}};
}

// The exponents of two matrices of very large, very small and usual numbers, and of their product.
struct Exponents {
  int first, second, product;
};
inline Exponents exponents(course::Judge &judge) {
  const int first = judge.number(-60, 60), product = judge.number(-60, 60);
  return {first, product - first, product};
}

// A tile's numbers are loaded once, up to the edges of whole tiles: who pads the matrices loads
// zeros there.
inline std::uint64_t loads_of_tiles(Size size, int rows, int columns, int depth) {
  const auto tiles = [](int count, int tile) { return std::uint64_t(count + tile - 1) / tile; };
  return tiles(size.m, rows) * tiles(size.n, columns) * tiles(size.k, depth) * depth *
         (rows + columns);
}

// A number from -2 to 2 with at most two binary digits after the point; not 0.
inline float quarter(course::Judge &judge) {
  return float(judge.number(1, 8)) * (judge.number(0, 1) ? 0.25f : -0.25f);
}

// Such numbers, times a power of two. Sums of up to 900 products of them need 16 bits, with a
// factor 19: a float holds them, in whatever order they are added. So bits have to agree.
inline Matrix quarters(course::Judge &judge, int rows, int columns, int exponent = 0) {
  Matrix matrix(std::size_t(rows) * columns);
  for (float &number : matrix)
    number = std::ldexp(quarter(judge), exponent);
  return matrix;
}

// The matrix, of at least 8 rows, with numbers that are not finite. One begins a row after one
// without such numbers, where it comes in when that one is read too far.
inline Matrix with_infinite_numbers(course::Judge &judge, const Matrix &matrix, int columns) {
  Matrix special = judge.sprinkled(matrix, {INFINITY, -INFINITY, NAN});
  const auto row = [&](std::size_t number) { return special.begin() + number * columns; };
  std::size_t next;
  do
    next = judge.number<std::size_t>(1, matrix.size() / columns - 1);
  while (!std::all_of(row(next - 1), row(next), [](float x) { return std::isfinite(x); }));
  *row(next) = INFINITY;
  return special;
}

// The matrix with infinite numbers in its first place, in its last row, and in its last column:
// there they come in where one is read again for what lies beyond the edge.
inline Matrix with_infinite_edges(Matrix matrix, int columns) {
  for (std::size_t i = 0; i < matrix.size(); ++i)
    if (i + columns >= matrix.size() || (i + 1) % columns == 0)
      matrix[i] = INFINITY;
  matrix.front() = INFINITY;
  return matrix;
}

// The matrix with zeros in half of its places: 0 times infinity is NaN.
inline Matrix with_zeros(course::Judge &judge, Matrix matrix) {
  for (float &number : matrix)
    if (judge.number(0, 1))
      number = 0;
  return matrix;
}

// Numbers of all digits, and what a result may then differ by: every term is at most 1, each
// addition is rounded by less than 2^-24 of the sum so far.
inline Matrix fractions(course::Judge &judge, int rows, int columns) {
  return judge.numbers<float>(std::size_t(rows) * columns);
}
inline double rounding(int terms) { return 1e-6 * (terms + 3); }

// Products one after the other in a process, where one side changes at a time, then one number; and
// a kernel that does nothing. ask(judge, size, also) begins a case, call(case, size, a, b) adds a
// call.
template <class Ask, class Call>
void ask_several(course::Judge &judge, Size small, Ask ask, Call call) {
  const auto [m, n, k] = small;
  const Size large{m + 19, n + 33, k + 17};
  const auto several =
      ask(judge, small, ", then " + text_of(large) + " side by side, then as before");
  Matrix a, b;
  for (Size size : {small, {large.m, n, k}, {large.m, large.n, k}, large}) {
    a = quarters(judge, size.m, size.k);
    b = quarters(judge, size.k, size.n);
    call(several, size, a, b);
  }
  a[judge.number<std::size_t>(1, a.size() - 2)] += 1;
  call(several, large, a, b);
  b[judge.number<std::size_t>(1, b.size() - 2)] += 1;
  call(several, large, a, b);
  call(several, small, quarters(judge, m, k), quarters(judge, k, n));

  const Size odd{63, 95, 31}; // a rest for any tile
  auto idle = ask(judge, odd, ", and the kernel does nothing");
  call(idle, odd, quarters(judge, odd.m, odd.k), quarters(judge, odd.k, odd.n));
  idle.without_kernels();
  auto tiny = ask(judge, {3, 5, 7}, ", and the kernel does nothing"); // no whole tile
  call(tiny, {3, 5, 7}, quarters(judge, 3, 7), quarters(judge, 7, 5));
  tiny.without_kernels();
}

// A B in double.
inline std::vector<double> product(Size size, const Matrix &a, const Matrix &b) {
  const auto [m, n, k] = size;
  std::vector<double> c(std::size_t(m) * n);
  for (int row = 0; row < m; ++row)
    for (int i = 0; i < k; ++i)
      for (int col = 0; col < n; ++col)
        c[row * n + col] += double(a[row * k + i]) * b[i * n + col];
  return c;
}
