#include "exercises/15-jacobi-mpi/last-row.hpp"
#include "tests/15-jacobi-mpi/parts.hpp"
#include "tests/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

#include <limits>

namespace {

using Mesh = std::vector<float>;

Mesh after_steps(Mesh mesh, int rows, int columns, int steps) {
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

} // namespace

// In the first call of each case the ranks expect another number in each rank's last cell, and a
// NaN in the last rank's first row: so many are then wrong.
TEST_CASE("the mesh of all ranks, and the count of wrong cells") {
  course::Judge judge;
  for (const auto &calls : course::all_parts) {
    const int ranks = int(calls[0].size());
    auto question = judge.ask<decltype(last_row)>(course::title(ranks)).ranks(ranks);
    int steps = 3;
    for (const course::Parts &parts : calls) {
      const int rows = course::sum(parts), columns = judge.number(5, 130);
      const Mesh before = judge.numbers<float>(std::size_t(rows) * columns);
      const Mesh after = after_steps(before, rows, columns, steps);
      Mesh expected = after;
      long long wrong = 0;
      if (&parts == &calls[0]) {
        int end = 0;
        for (int its_rows : parts) {
          end += its_rows;
          expected[std::size_t(end) * columns - 1] += 1;
        }
        expected[std::size_t(end - parts.back()) * columns + judge.number(1, columns - 2)] =
            std::numeric_limits<float>::quiet_NaN();
        wrong = ranks + 1;
      }
      int first = 0;
      for (int its_rows : parts) {
        const auto of = [&](const Mesh &mesh) {
          return course::part_of(mesh, std::size_t(first) * columns,
                                 std::size_t(its_rows) * columns);
        };
        question
            .with(columns, its_rows, steps, of(expected),
                  course::in_out(of(before), of(after)).shape(columns))
            .returns(wrong);
        first += its_rows;
      }
      steps = 2;
    }
  }
  judge.run();
}
