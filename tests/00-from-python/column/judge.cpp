// Judges exercise 00-from-python/column, on matrices of which each element is another number.
#include "common/grader/judge/judge.hpp"
#include "exercises/00-from-python/column.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <numeric>

namespace {

void ask(course::Judge &judge, int rows, int cols, int col, bool counts = false) {
  std::vector<float> matrix(rows * cols), expected, by_rows;
  if (counts) // a wrong one tells its index
    std::iota(matrix.begin(), matrix.end(), 0.0f);
  else
    matrix = judge.numbers<float>(rows * cols);
  for (std::size_t i = col; i < matrix.size(); i += cols)
    expected.push_back(matrix[i]);
  for (int row = 0; row < rows; ++row) // a wrong index may lie outside the matrix
    by_rows.push_back(matrix[std::min(std::size_t(row) * rows + col, matrix.size() - 1)]);
  judge
      .ask<decltype(column)>("column " + std::to_string(col) + " of " + std::to_string(rows) +
                             " x " + std::to_string(cols) +
                             (counts ? ", elements 0, 1, 2, ..." : ""))
      .needs_no_kernel()
      .with(matrix, rows, cols, col,
            course::output(expected).often(
                by_rows, "row * rows: the distance from one row to the next is the row length, "
                         "cols"));
}

} // namespace

TEST_CASE("a column of a matrix") {
  course::Judge judge;
  ask(judge, judge.number(3, 6), judge.number(7, 9), 0, true);
  ask(judge, judge.number(3, 6), judge.number(7, 9), judge.number(1, 6), true);
  ask(judge, judge.number(7, 9), judge.number(3, 6), judge.number(1, 2), true);
  for (const auto &[cols, rows] : judge.shapes(5000))
    ask(judge, rows, cols, judge.number(0, cols - 1));
  const std::vector<float> special{1, INFINITY, 2, NAN, 3, -INFINITY, 4, 1e-40f, 5, 3e38f};
  judge.ask<decltype(column)>("infinite, NaN, tiny and very large elements, in the other column")
      .needs_no_kernel()
      .with(special, 5, 2, 0, course::output<float>({1, 2, 3, 4, 5}));
  judge.ask<decltype(column)>("the column of these elements")
      .needs_no_kernel()
      .with(special, 5, 2, 1, course::output<float>({INFINITY, NAN, -INFINITY, 1e-40f, 3e38f}));
  auto changed = judge.ask<decltype(column)>("a matrix, another column of it, another matrix");
  changed.needs_no_kernel();
  changed.with({{1, 2, 3, 4}}, 2, 2, 0, course::output<float>({1, 3}));
  changed.with({{1, 2, 3, 4}}, 2, 2, 1, course::output<float>({2, 4}));
  changed.with({{5, 6, 7, 8}}, 2, 2, 1, course::output<float>({6, 8}));
  judge.run();
}

TEST_CASE("more elements than a float counts", "[large]") {
  course::Judge judge;
  ask(judge, 4123, 4123, 1);
  ask(judge, 99'999, 170, 1); // more rows, then columns, than 2^16
  ask(judge, 170, 99'999, 99'998);
  judge.run();
}
