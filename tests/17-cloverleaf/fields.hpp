// Shared by the judges of lesson 17: sizes of fields, and tolerances.
#pragma once

#include "common/grader/judge/judge.hpp"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace course {

using Values = std::vector<double>; // of a field, row after row, with ghost layers

inline std::size_t cells(int nx, int ny) { return std::size_t(nx + 4) * (ny + 4); }
inline std::size_t nodes(int nx, int ny) { return std::size_t(nx + 5) * (ny + 5); }

// One inner cell, column and row; whole blocks and one more, where so many `columns` and `rows` are
// computed besides the inner ones; any; longer than a block can be, and one more than whole blocks
// of any length.
inline std::vector<std::pair<int, int>> field_sizes(Judge &judge, int columns, int rows) {
  const int wide = 32 * judge.number(1, 3) - columns, high = 16 * judge.number(1, 2) - rows;
  const int many = 1024 * judge.number(1, 2) + 1;
  return {{1, 1},
          {1, judge.number(9, 60)},
          {judge.number(33, 150), 1},
          {wide, high},
          {wide + 1, high + 1},
          {judge.number(2, 70), judge.number(2, 40)},
          {many - columns, judge.number(2, 3)},
          {judge.number(2, 3), many - rows}};
}

// As many rows, and as many columns, as an array may have, ghosts included.
inline std::vector<std::pair<int, int>> long_sides(Judge &judge) {
  return {{judge.number(2, 3), judge.number(49'000, 49'900)},
          {judge.number(49'000, 49'900), judge.number(2, 3)}};
}

inline std::string size_of(int nx, int ny) {
  return std::to_string(nx) + " x " + std::to_string(ny) + " cells";
}

// Random numbers with rows of `width`; NaN in the `columns` and `rows` next to the array's edge.
inline Values framed(Judge &judge, std::size_t count, int width, int columns, int rows, double low,
                     double high) {
  Values values = judge.numbers<double>(count, low, high);
  const int height = int(count) / width;
  for (int i = 0; i < int(count); ++i) {
    const int col = i % width, row = i / width;
    if (col < columns || col >= width - columns || row < rows || row >= height - rows)
      values[i] = NAN;
  }
  return values;
}

// Numbers of one case are of one magnitude, and what is computed from them takes a few dozen
// roundings of 2^-53 = 1.1e-16 of the largest; a float anywhere would be off by 6e-8 of it.
inline double rounding(const Values &expected) {
  double largest = 0;
  for (double value : expected)
    if (std::isfinite(value))
      largest = std::max(largest, std::abs(value));
  return 1e-13 * largest;
}

} // namespace course
