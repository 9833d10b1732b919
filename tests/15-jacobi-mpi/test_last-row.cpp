#include "exercises/15-jacobi-mpi/last-row.hpp"
#include "tests/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <limits>

namespace {

using Mesh = std::vector<float>;

Mesh steps_of(Mesh mesh, int rows, int columns, int steps) {
  for (int i = 0; i < steps; ++i) {
    const Mesh old = mesh;
    const auto at = [&](int row, int column) {
      return old[std::size_t((row + rows) % rows) * columns + column];
    };
    for (int y = 0; y < rows; ++y)
      for (int x = 1; x < columns - 1; ++x)
        mesh[std::size_t(y) * columns + x] =
            0.25f * (at(y, x - 1) + at(y, x + 1) + at(y - 1, x) + at(y + 1, x));
  }
  return mesh;
}

// The mesh of some ranks; the ranks are told to expect what is right, but for `spoilt`: one cell of
// each rank's last row, and on the last rank a NaN in the first.
void ask(course::Judge &judge, const std::vector<int> &parts, int columns, int steps, bool spoilt) {
  int all = 0;
  std::string title;
  for (int rows : parts) {
    title += (title.empty() ? "" : " + ") + std::to_string(rows);
    all += rows;
  }
  title += " rows, " + std::to_string(steps) + (steps == 1 ? " step" : " steps");
  const Mesh before = judge.numbers<float>(std::size_t(all) * columns);
  const Mesh after = steps_of(before, all, columns, steps);
  Mesh told = after;
  int first = 0;
  long long wrong = 0;
  if (spoilt) {
    title += ", expecting other numbers";
    for (int rows : parts) {
      told[std::size_t(first + rows - 1) * columns + judge.number(1, columns - 2)] += 1;
      first += rows;
      ++wrong;
    }
    told[std::size_t(all - parts.back()) * columns] = std::numeric_limits<float>::quiet_NaN();
    ++wrong;
  }
  auto question = judge.ask<decltype(last_row)>(title).ranks(int(parts.size()));
  first = 0;
  for (int rows : parts) {
    const auto of = [&](const Mesh &mesh) {
      return Mesh(mesh.begin() + std::ptrdiff_t(first) * columns,
                  mesh.begin() + std::ptrdiff_t(first + rows) * columns);
    };
    question
        .with(rows, columns, steps, of(told), course::in_out(of(before), of(after)).shape(columns))
        .returns(wrong);
    first += rows;
  }
}

} // namespace

TEST_CASE("the mesh of all ranks") {
  course::Judge judge;
  ask(judge, {5}, 40, 3, false);
  ask(judge, {1, 1}, 33, 4, false);
  ask(judge, {4, 6}, 70, 5, false);
  ask(judge, {3, 1, 2}, 35, 3, false);
  ask(judge, {1, 1, 1, 1}, 3, 6, false);
  ask(judge, {5, 2, 1, 9}, 129, 1, false);
  judge.run();
}

TEST_CASE("the count of wrong cells") {
  course::Judge judge;
  ask(judge, {3}, 9, 2, true);
  ask(judge, {2, 3}, 40, 2, true);
  ask(judge, {1, 4, 2}, 20, 1, true);
  judge.run();
}
