// Judges exercise 16-jacobi-nccl/wide-halo: any number of devices, halos of one row and of several,
// parts that are no higher than a halo; that the mesh is on several devices, and that no row is
// computed in vain.
#include "exercises/16-jacobi-nccl/wide-halo.hpp"
#include "tests/16-jacobi-nccl/mesh.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstdint>

namespace {

using Question = course::Question<decltype(wide_halo)>;

void ask_also(Question question, const course::Mesh &before, int nx, int ny, int k, int steps) {
  question.with(
      nx, ny, k, steps,
      course::in_out(before, course::after_steps(before, nx, ny, steps), course::mean_tolerance)
          .shape(std::size_t(nx)));
}

void ask_also(course::Judge &judge, Question question, int nx, int ny, int k, int steps) {
  ask_also(question, judge.numbers<float>(std::size_t(ny) * nx), nx, ny, k, steps);
}

} // namespace

TEST_CASE("the mesh of all GPUs, with halos of k rows") {
  course::Judge judge;
  const std::vector<int> columns = judge.sizes(130); // fewer than there are calls
  std::size_t call = 0;
  for (int devices : course::device_counts(judge)) {
    const Question question = course::ask<decltype(wide_halo)>(judge, devices);
    const auto also = [&](int ny, int k, int steps) {
      ask_also(judge, question, std::max(3, columns[call++ % columns.size()]), ny, k, steps);
    };
    const int k = judge.number(2, 4);
    also(judge.number(5 * devices, 8 * devices), k, k * judge.number(2, 3)); // whole rounds
    also(k * devices, k, 2 * k + 1); // a part has k rows, and a round is cut short
    also(judge.number(6 * devices, 60), judge.number(5, 6), judge.number(2, 4)); // fewer than k
    also(judge.number(2 * devices, 40), 1, judge.number(1, 4));
    const int other = k + 1;                            // one of the two is odd
    also(judge.number(other, 2 * other), other, other); // fewer devices take part
  }
  const Question again =
      course::ask<decltype(wide_halo)>(judge, 2, ", another k, number of steps, number");
  const int nx = judge.number(40, 80), ny = judge.number(20, 40);
  auto mesh = judge.numbers<float>(std::size_t(ny) * nx);
  ask_also(again, mesh, nx, ny, 2, 4);
  ask_also(again, mesh, nx, ny, 3, 4);
  ask_also(again, mesh, nx, ny, 3, 5);
  mesh[ny / 2 * nx + nx / 2] = 0.9f;
  ask_also(again, mesh, nx, ny, 3, 5);
  judge.run();
}

TEST_CASE("kernels that do nothing") {
  course::Judge judge;
  Question question = course::ask<decltype(wide_halo)>(judge, 2, ", kernels do nothing");
  ask_also(judge, question, 95, 63, 2, 2);
  question.without_kernels();
  judge.run();
}

TEST_CASE("no device has memory for the whole mesh, and no row is computed in vain") {
  course::Judge judge;
  const int devices = 3, k = judge.number(17, 20), rounds = 3, nx = judge.number(20, 40);
  const int ny = devices * judge.number(3 * k, 4 * k);
  Question question = course::ask<decltype(wide_halo)>(
                          judge, devices, ", each with memory for a part of the mesh, counted")
                          .environment("COURSE_CPU_MEMORY", course::memory_for_a_part(nx, ny));
  ask_also(judge, question, nx, ny, k, k * rounds);
  // Own rows in each step; in the steps of a round 2 (k - 1), ..., 4, 2, 0 rows of the halo.
  const std::uint64_t rows = rounds * (k * ny + devices * k * (k - 1));
  const std::uint64_t exchanges = rounds * devices, halos = 2 * exchanges;
  question.at_most(&course::Work::library_bytes, halos * k * nx * sizeof(float),
                   "an exchange where none is asked, or of more rows than a halo has.");
  question.at_most(&course::Work::library_calls, 2 * exchanges, // two groups for each, for instance
                   "an exchange before each step, where one before each k-th step is asked.");
  question.at_most(&course::Work::waits_between, 0, "the host waits in the loop over the steps.");
  question.at_most(&course::Work::global_stores, rows * nx,
                   "rows are computed that no own row needs before the next exchange. With each "
                   "step after an exchange one row fewer is needed at either end.");
  judge.run();
}

TEST_CASE("as many rows, and columns, as a mesh may have", "[large]") {
  course::Judge judge;
  Question question = course::ask<decltype(wide_halo)>(judge, 2, ", long sides");
  ask_also(judge, question, judge.number(3, 5), judge.number(49'000, 50'000), 3, 4);
  ask_also(judge, question, judge.number(49'000, 50'000), judge.number(8, 9), 3, 4);
  ask_also(judge, question, judge.number(1'041, 1'048), judge.number(1'041, 1'048), 2, 2);
  judge.run();
}
