// Judges exercise 16-jacobi-nccl/settled-rank: meshes that are at rest but for one place, which one
// rank has or two, on any number of devices, and meshes that are at rest nowhere; and that the mesh
// is on several devices.
#include "exercises/16-jacobi-nccl/settled-rank.hpp"
#include "tests/16-jacobi-nccl/mesh.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace {

using course::Mesh;
using Question = course::Question<decltype(settled_rank)>;

// Of the rows `first` to `end` - 1.
double residual_of(const Mesh &old, const Mesh &mesh, int nx, int first, int end) {
  double squares = 0;
  for (std::size_t i = std::size_t(first) * nx; i < std::size_t(end) * nx; ++i)
    squares += (double(mesh[i]) - old[i]) * (double(mesh[i]) - old[i]);
  return std::sqrt(squares);
}

double tolerance_of(const Mesh &mesh) {
  double largest = 0;
  for (const float number : mesh)
    largest = std::max(largest, std::abs(double(number)));
  return course::mean_tolerance * largest;
}

// Ends after `steps` steps: by the tolerance, which lies well between two residuals, or, where it
// is 0, by max_steps.
void ask_also(course::Judge &judge, Question question, int nx, int ny, const Mesh &before,
              int steps, int devices, bool by_tolerance) {
  // The residuals of each step: of the mesh, of rank 0's rows, and the largest of a rank's rows.
  const int ranks = std::min(devices, ny);
  std::vector<double> all, of_first, largest;
  Mesh mesh = before;
  for (int i = 0; i < steps; ++i) {
    const Mesh old = mesh;
    mesh = course::after_steps(mesh, nx, ny, 1);
    all.push_back(residual_of(old, mesh, nx, 0, ny));
    largest.push_back(0);
    for (int rank = ranks - 1; rank >= 0; --rank) {
      const double its = residual_of(old, mesh, nx, course::first_row(rank, ranks, ny),
                                     course::first_row(rank + 1, ranks, ny));
      largest.back() = std::max(largest.back(), its);
      if (rank == 0)
        of_first.push_back(its);
    }
  }
  const double before_last = steps > 1 ? all[steps - 2] : 2 * all.back();
  const double tolerance = by_tolerance ? std::sqrt(before_last * all.back()) : 0;
  if (by_tolerance && before_last < 1.001 * all.back())
    throw std::logic_error("the last residual has to be the first small one");
  const auto ends_at = [&](const std::vector<double> &residuals) {
    const auto last = std::find_if(residuals.begin(), residuals.end() - 1,
                                   [&](double residual) { return residual <= tolerance; });
    return int(last - residuals.begin()) + 1;
  };
  std::vector<std::pair<int, std::string>> mistakes;
  if (ends_at(of_first) < steps)
    mistakes.push_back({ends_at(of_first), "the residual is that of GPU 0's rows alone: the sum "
                                           "of all GPUs is not on the host yet when it is read, or "
                                           "its type is not double"});
  if (ends_at(largest) < steps)
    mistakes.push_back({ends_at(largest), "the residual is the largest of all GPUs' residuals; "
                                          "their squares have to be added"});
  const int max_steps = !by_tolerance        ? steps
                        : judge.number(0, 1) ? steps + judge.number(5, 9)
                                             : 1000;
  question
      .with(nx, ny, tolerance, max_steps,
            course::in_out(before, mesh, tolerance_of(before)).shape(std::size_t(nx)))
      .returns(steps, 0, mistakes);
}

// At rest, but for a hot cell in the middle of a row.
Mesh hot_cell(course::Judge &judge, int nx, int ny, int row) {
  Mesh mesh(std::size_t(ny) * nx, 0.0f);
  mesh[std::size_t(row) * nx + nx / 2] = judge.number(1.0f, 2.0f);
  return mesh;
}

} // namespace

TEST_CASE("steps until the whole mesh is at rest") {
  course::Judge judge;
  for (int devices : course::device_counts(judge)) {
    const Question question = course::ask<decltype(settled_rank)>(judge, devices);
    const auto columns = [&] { return judge.number(20, 70); };
    int nx = columns(), ny = judge.number(12 * devices, 16 * devices);
    const int middle = ny - ny / devices / 2;                     // of the last rank's rows
    const int edge = course::first_row(devices - 1, devices, ny); // then two ranks have work
    ask_also(judge, question, nx, ny, hot_cell(judge, nx, ny, middle), judge.number(4, 6), devices,
             true);
    ask_also(judge, question, nx, ny, hot_cell(judge, nx, ny, edge), judge.number(4, 6), devices,
             true);
    ask_also(judge, question, nx, ny, hot_cell(judge, nx, ny, judge.number(0, ny - 1)),
             judge.number(2, 4), devices, false);
    nx = columns(), ny = judge.number(devices, 30);
    ask_also(judge, question, nx, ny, judge.numbers<float>(std::size_t(ny) * nx),
             judge.number(4, 6), devices, true);
    nx = columns(), ny = judge.number(1, devices);
    ask_also(judge, question, nx, ny, judge.numbers<float>(std::size_t(ny) * nx, 0, 1), 1, devices,
             true);
  }
  judge.run();
}

// In float their squares are infinite, or 0.
TEST_CASE("very large and very small numbers") {
  course::Judge judge;
  const Question question = course::ask<decltype(settled_rank)>(judge, 2);
  for (const float scale : {0x1p70f, 0x1p-40f, 0x1p-80f}) {
    const int nx = judge.number(20, 70), ny = judge.number(20, 40);
    Mesh mesh = judge.numbers<float>(std::size_t(ny) * nx);
    for (float &number : mesh)
      number *= scale;
    ask_also(judge, question, nx, ny, mesh, judge.number(4, 6), 2, true);
  }
  judge.run();
}

// The mesh is finite at first. Then sums of the last GPU are infinite, and differences of those are
// no numbers.
TEST_CASE("a residual that is not a number") {
  course::Judge judge;
  const int devices = 3, nx = judge.number(20, 70), ny = judge.number(20, 40);
  const int steps = judge.number(4, 6);
  Mesh before(std::size_t(ny) * nx, 1);
  std::fill(before.end() - 3 * nx, before.end(), 3e38f);
  Question question = course::ask<decltype(settled_rank)>(judge, devices, ", sums too large");
  question
      .with(nx, ny, 1e30, steps,
            course::in_out(before, course::after_steps(before, nx, ny, steps), tolerance_of(before))
                .shape(std::size_t(nx)))
      .returns(steps);
  judge.run();
}

// A float of it would be above the tolerance; then a float of the tolerance would be below it. No
// step rounds: each adds two bits to eight.
TEST_CASE("a residual just below the tolerance") {
  course::Judge judge;
  Question question = course::ask<decltype(settled_rank)>(judge, 2, ", by a hair");
  for (const bool of_tolerance : {false, true}) {
    const int nx = judge.number(20, 70), ny = judge.number(20, 40), steps = judge.number(4, 6);
    Mesh before, mesh;
    double residual = 0, tolerance = 0;
    while (of_tolerance ? residual <= float(tolerance) : float(residual) <= tolerance) {
      before = judge.numbers<float>(std::size_t(ny) * nx);
      for (float &number : before)
        number = std::round(256 * number) / 256;
      const Mesh old = course::after_steps(before, nx, ny, steps - 1);
      mesh = course::after_steps(old, nx, ny, 1);
      residual = residual_of(old, mesh, nx, 0, ny);
      tolerance = residual * (1 + 1e-10);
    }
    question.with(nx, ny, tolerance, 2 * steps, course::in_out(before, mesh).shape(std::size_t(nx)))
        .returns(steps);
  }
  judge.run();
}

// The neighbours of a cell are small, or two large ones whose sum is 0: after a step all are small.
TEST_CASE("large changes, then small ones") {
  course::Judge judge;
  const Question question =
      course::ask<decltype(settled_rank)>(judge, 2, ", small after the first step");
  for (const int steps : {2, 3}) {
    const int nx = 3, ny = 4 * judge.number(5, 10);
    const float large = judge.number(1.0f, 2.0f), small = judge.number(1e-12f, 2e-12f);
    Mesh mesh(std::size_t(ny) * nx, small);
    for (int y = 0; y < ny; ++y)
      mesh[y * nx + 1] = y % 2 ? 0 : y % 4 ? -large : large;
    for (int y = 1; y < ny; y += 2)
      mesh[y * nx] = mesh[y * nx + 2] = 0;
    ask_also(judge, question, nx, ny, mesh, steps, 2, true);
  }
  judge.run();
}

TEST_CASE("one argument is another, then one number") {
  course::Judge judge;
  const Question again = course::ask<decltype(settled_rank)>(judge, 2, ", several calls");
  const int nx = judge.number(20, 70), ny = judge.number(20, 40);
  auto mesh = judge.numbers<float>(std::size_t(ny) * nx);
  ask_also(judge, again, nx, ny, mesh, 5, 2, true);
  ask_also(judge, again, nx, ny, mesh, 3, 2, true);
  mesh[ny / 2 * nx + nx / 2] = 5;
  ask_also(judge, again, nx, ny, mesh, 3, 2, true);
  judge.run();
}

TEST_CASE("a mesh at rest, and a residual of 0") {
  course::Judge judge;
  const int nx = judge.number(20, 70), ny = judge.number(20, 40);
  const Mesh mesh(std::size_t(ny) * nx, 0.5f);
  Question question = course::ask<decltype(settled_rank)>(judge, 2, ", at rest, tolerance 0");
  question.with(nx, ny, 0, 9, course::in_out(mesh, mesh).shape(std::size_t(nx))).returns(1);
  judge.run();
}

TEST_CASE("kernels that do nothing") {
  course::Judge judge;
  Question question = course::ask<decltype(settled_rank)>(judge, 2, ", kernels do nothing");
  const int nx = 95, ny = 63;
  ask_also(judge, question, nx, ny, judge.numbers<float>(std::size_t(ny) * nx), 3, 2, false);
  question.without_kernels();
  judge.run();
}

TEST_CASE("no device has memory for the whole mesh") {
  course::Judge judge;
  const int devices = 3, nx = judge.number(40, 80), ny = judge.number(40, 60);
  const Question question =
      course::ask<decltype(settled_rank)>(judge, devices,
                                          ", each with memory for a part of the mesh")
          .environment("COURSE_CPU_MEMORY", course::memory_for_a_part(nx, ny));
  ask_also(judge, question, nx, ny, judge.numbers<float>(std::size_t(ny) * nx), 5, devices, true);
  judge.run();
}

TEST_CASE("long sides, and some of the last rows are not at rest", "[large]") {
  course::Judge judge;
  const auto few = [&] { return judge.number(6, 8); };
  const auto many = [&] { return judge.number(49'500, 50'000); };
  const int side = judge.number(1'041, 1'048);
  for (int devices : {1, 2}) {
    const Question question = course::ask<decltype(settled_rank)>(judge, devices, ", long sides");
    for (const auto &[nx, ny] : {std::pair{few(), many()}, {many(), few()}, {side, side}})
      ask_also(judge, question, nx, ny, hot_cell(judge, nx, ny, ny - 2), 3, devices, true);
  }
  judge.run();
}
