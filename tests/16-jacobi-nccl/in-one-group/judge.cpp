// Judges exercise 16-jacobi-nccl/in-one-group: any number of devices, of rows and of columns; that
// the mesh is on several devices, and that the host does not wait for each step.
#include "exercises/16-jacobi-nccl/in-one-group.hpp"
#include "tests/16-jacobi-nccl/mesh.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>

namespace {

using Question = course::Question<decltype(in_one_group)>;

// The result if each rank's two halo rows are exchanged: receives in the wrong order give this if
// both neighbours are the same rank.
course::Mesh with_swapped_halos(course::Mesh mesh, int nx, int ny, int steps, int devices) {
  const int ranks = std::min(devices, ny);
  for (int i = 0; i < steps; ++i) {
    const course::Mesh old = mesh;
    for (int rank = 0; rank < ranks; ++rank) {
      const int first = course::first_row(rank, ranks, ny),
                end = course::first_row(rank + 1, ranks, ny);
      course::step(old, mesh, nx, first, end, end % ny, (first + ny - 1) % ny);
    }
  }
  return mesh;
}

void ask_also(Question question, const course::Mesh &before, int nx, int ny, int steps,
              int devices) {
  auto mesh =
      course::in_out(before, course::after_steps(before, nx, ny, steps), course::mean_tolerance)
          .shape(std::size_t(nx));
  if (devices <= 2)
    std::move(mesh).often(
        with_swapped_halos(before, nx, ny, steps, devices),
        "the halo rows above and below are swapped. Here both neighbours are the same rank, and "
        "between two ranks the first receive gets what was sent first: NCCL has no tags");
  question.with(nx, ny, steps, mesh);
}

void ask_also(course::Judge &judge, Question question, int nx, int ny, int steps, int devices) {
  ask_also(question, judge.numbers<float>(std::size_t(ny) * nx), nx, ny, steps, devices);
}

} // namespace

TEST_CASE("the mesh of all GPUs") {
  course::Judge judge;
  const std::vector<int> columns = judge.sizes(130); // fewer than there are calls
  std::size_t call = 0;
  for (int devices : course::device_counts(judge)) {
    const Question question = course::ask<decltype(in_one_group)>(judge, devices);
    for (const int ny : {judge.number(2 * devices, 5 * devices), judge.number(30, 60), devices,
                         judge.number(1, devices)})
      ask_also(judge, question, std::max(3, columns[call++ % columns.size()]), ny,
               judge.number(1, 5), devices);
  }
  const Question again =
      course::ask<decltype(in_one_group)>(judge, 2, ", another number of steps, another number");
  const int nx = judge.number(40, 80), ny = judge.number(20, 40);
  auto mesh = judge.numbers<float>(std::size_t(ny) * nx);
  ask_also(again, mesh, nx, ny, 2, 2);
  ask_also(again, mesh, nx, ny, 3, 2);
  mesh[ny / 2 * nx + nx / 2] = 0.9f;
  ask_also(again, mesh, nx, ny, 3, 2);
  judge.run();
}

TEST_CASE("kernels that do nothing") {
  course::Judge judge;
  Question question = course::ask<decltype(in_one_group)>(judge, 2, ", kernels do nothing");
  ask_also(judge, question, 95, 63, 1, 2);
  question.without_kernels();
  judge.run();
}

TEST_CASE("no device has memory for the whole mesh, and the host does not wait") {
  course::Judge judge;
  const int devices = 3;
  for (const auto &[nx, ny] : {std::pair{judge.number(40, 80), judge.number(40, 60)},
                               {judge.number(20, 25), judge.number(30, 40)}}) {
    Question question = course::ask<decltype(in_one_group)>(
                            judge, devices, ", each with memory for a part of the mesh, counted")
                            .environment("COURSE_CPU_MEMORY", course::memory_for_a_part(nx, ny));
    ask_also(judge, question, nx, ny, judge.number(120, 150), devices);
    question.at_most(&course::Work::waits_between, 0,
                     "the host waits in the loop over the steps. The messages are work in the "
                     "streams, and so is what comes after them.");
  }
  judge.run();
}

TEST_CASE("as many rows, and columns, as a mesh may have", "[large]") {
  course::Judge judge;
  for (int devices : {1, 2}) {
    const Question question = course::ask<decltype(in_one_group)>(judge, devices, ", long sides");
    ask_also(judge, question, judge.number(3, 5), judge.number(49'000, 50'000), 2, devices);
    ask_also(judge, question, judge.number(49'000, 50'000), judge.number(8, 9), 2, devices);
    ask_also(judge, question, judge.number(1'041, 1'048), judge.number(1'041, 1'048), 1, devices);
  }
  judge.run();
}
