// Judges exercise 15-jacobi-mpi/last-row: any number of ranks, of rows and of columns, steps of
// both parities; and cells that are expected to be otherwise.
#include "common/grader/judge.hpp"
#include "exercises/15-jacobi-mpi/last-row.hpp"
#include "tests/15-jacobi-mpi/parts.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

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

// In every other call cells are expected that differ from the right ones in the last bit: the last
// of each rank's part, the first of some, and a NaN.
TEST_CASE("the mesh of all ranks, and the count of wrong cells") {
  course::Judge judge;
  for (int ranks : course::rank_counts(judge)) {
    auto question = judge.ask<decltype(last_row)>(course::title(ranks)).ranks(ranks);
    const std::vector<int> columns = judge.sizes(130); // more than there are calls
    std::size_t call = 0;
    for (const course::Parts &parts : course::parts_of_calls(judge, ranks)) {
      const int rows = course::sum(parts), nx = std::max(3, columns[call++]);
      const int steps = call == 1 ? judge.number(17, 40) : judge.number(1, 5);
      const Mesh before = judge.numbers<float>(std::size_t(rows) * nx);
      const Mesh after = after_steps(before, rows, nx, steps);
      Mesh expected = after;
      const auto differ = [&](std::size_t cell) {
        expected[cell] = std::nextafter(after[cell], INFINITY);
      };
      if (call % 2) {
        std::size_t end = 0;
        for (int its_rows : parts) {
          if (judge.number(0, 1))
            differ(end);
          end += std::size_t(its_rows) * nx;
          differ(end - 1);
        }
        expected[end - std::size_t(parts.back()) * nx + judge.number(1, nx - 2)] = NAN;
      }
      long long wrong = 0;
      for (std::size_t cell = 0; cell < after.size(); ++cell)
        wrong += after[cell] != expected[cell];
      int first = 0;
      for (int its_rows : parts) {
        const auto of = [&](const Mesh &mesh) {
          return course::part_of(mesh, std::size_t(first) * nx, std::size_t(its_rows) * nx);
        };
        question
            .with(nx, its_rows, steps, of(expected),
                  course::in_out(of(before), of(after)).shape(nx))
            .returns(wrong);
        first += its_rows;
      }
    }
  }
  judge.run();
}

TEST_CASE("numbers that differ by as little as a float can") {
  course::Judge judge;
  const int nx = judge.number(20, 40), ny = judge.number(3, 9);
  const Mesh mesh(std::size_t(ny) * nx, 0.0f);
  Mesh expected = mesh;
  expected[judge.number(0, int(mesh.size()) - 1)] = 1e-45f;
  judge.ask<decltype(last_row)>(course::title(1) + ", the smallest number above 0 is expected")
      .ranks(1)
      .with(nx, ny, 1, expected, course::in_out(mesh, mesh).shape(nx))
      .returns(1);
  judge.run();
}

// A float does not hold their number, nor 16 bits that of a rank.
TEST_CASE("more than 2^24 wrong cells", "[large]") {
  course::Judge judge;
  const int nx = 4097;
  auto question =
      judge.ask<decltype(last_row)>(course::title(2) + ", all cells of a large mesh").ranks(2);
  for (const int rows : {2050, 2049}) {
    const Mesh mesh(std::size_t(rows) * nx, 1.0f), expected(mesh.size(), 2.0f);
    question.with(nx, rows, 1, expected, course::in_out(mesh, mesh).shape(nx)).returns(4099LL * nx);
  }
  judge.run();
}
