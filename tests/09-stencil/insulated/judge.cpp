// Judges exercise 09-stencil/insulated: plates of all shapes, a tile, a little less and a little
// more, a single row, column and cell; odd and even numbers of steps; and that a tile is loaded,
// not each neighbour.
#include "exercises/09-stencil/insulated.hpp"
#include "tests/09-stencil/plate.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

std::vector<float> spread(std::vector<float> u, int nx, int ny, int steps) {
  for (int k = 0; k < steps; ++k) {
    const std::vector<float> before = u;
    const auto at = [&](int x, int y) -> double {
      return before[std::clamp(y, 0, ny - 1) * nx + std::clamp(x, 0, nx - 1)];
    };
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x)
        u[y * nx + x] =
            float((4 * (at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1)) +
                   at(x - 1, y - 1) + at(x + 1, y - 1) + at(x - 1, y + 1) + at(x + 1, y + 1)) /
                  20);
  }
  return u;
}

using Question = course::Question<decltype(insulated)>;

// Numbers up to a power of two. In relation to it a step rounds a sum of at most 20 some nine times
// by 2^-24 of what it is so far, then divides by 20.
void call(course::Judge &judge, Question question, int nx, int ny, int steps) {
  const float largest = std::ldexp(1.0f, judge.number(-80, 80));
  const auto u = judge.numbers<float>(std::size_t(nx) * ny, -largest, largest);
  question.with(course::in_out(u, spread(u, nx, ny, steps), 6e-7 * steps * largest).shape(nx), nx,
                ny, steps);
}

Question ask(course::Judge &judge, int nx, int ny, int steps, const std::string &also = "") {
  return judge.ask<decltype(insulated)>(std::to_string(nx) + " x " + std::to_string(ny) +
                                        " cells, " + std::to_string(steps) +
                                        (steps == 1 ? " step" : " steps") + also);
}

} // namespace

TEST_CASE("heat spreads and stays on the plate") {
  course::Judge judge;
  int steps = judge.number(1, 6);
  for (auto [nx, ny] : plate_sizes(judge, 1)) {
    call(judge, ask(judge, nx, ny, steps), nx, ny, steps);
    steps = steps % 6 + 1; // odd and even ones
  }
  for (auto [nx, ny] : {std::pair(judge.number(20, 90), 1), {1, judge.number(20, 90)}, {2, 2}})
    call(judge, ask(judge, nx, ny, 2), nx, ny, 2);
  const int nx = 32 * judge.number(1, 3), ny = 8 * judge.number(1, 6);
  call(judge, ask(judge, nx, ny, 3), nx, ny, 3);
  const int many = judge.number(40, 60);
  call(judge, ask(judge, 41, 23, many), 41, 23, many);
  call(judge, ask(judge, nx, ny, 0).needs_no_kernel(), nx, ny, 0);
  judge.run();
}

TEST_CASE("cells that are infinite or no number, cells that add up to 0, and many steps") {
  course::Judge judge;
  const int nx = judge.number(50, 70), ny = judge.number(25, 30);
  auto u = judge.numbers<float>(nx * ny);
  const auto at = [&](int x, int y) -> float & { return u[y * nx + x + judge.number(0, 3)]; };
  at(5, 6) = INFINITY;
  at(20, 12) = NAN;
  at(35, 18) = -INFINITY;
  ask(judge, nx, ny, 1, ", special cells among them")
      .with(course::in_out(u, spread(u, nx, ny, 1), 6e-7).shape(nx), nx, ny, 1);

  const int steps = 2 * judge.number(800, 900) + 1;
  std::vector<float> row(31); // its middle stands still
  for (int x = 0; x < 31; ++x)
    row[x] = x - 15;
  ask(judge, 31, 1, steps, ", from -15 to 15")
      .with(course::in_out(row, spread(row, 31, 1, steps), 6e-7 * steps * 15).shape(31), 31, 1,
            steps);
  judge.run();
}

TEST_CASE("one plate after the other") {
  course::Judge judge;
  const int nx = judge.number(33, 50), ny = judge.number(9, 30);
  const Question question = ask(judge, nx, ny, 2, ", then larger ones twice, then as before");
  call(judge, question, nx, ny, 2);
  call(judge, question, nx + 29, ny, 3);
  call(judge, question, nx + 29, ny + 17, 3);
  call(judge, question, nx + 29, ny + 17, 1);
  call(judge, question, nx, ny, 4);
  judge.run();
}

TEST_CASE("who does the work, and who notices that it is not done") {
  course::Judge judge;
  const int nx = judge.number(33, 50), ny = judge.number(9, 30);
  Question idle = ask(judge, nx, ny, 3, ", and the kernel does nothing");
  call(judge, idle, nx, ny, 3);
  idle.without_kernels();
  Question refused = ask(judge, nx, ny, 1, ", and the launch fails");
  call(judge, refused, nx, ny, 1);
  refused.launches_fail().fails("invalid");
  judge.run();
}

TEST_CASE("through a tile in shared memory") {
  course::Judge judge;
  for (auto [nx, ny] : {std::pair(160, 80), {judge.number(161, 175), judge.number(81, 86)}}) {
    Question question = ask(judge, nx, ny, 1, ", counted");
    call(judge, question, nx, ny, 1);
    // 34 x 10 loads for 32 x 8 cells: 1.33 a cell; without a tile there are 8. Blocks at the edge
    // may load a whole tile.
    question.at_most(&course::Work::global_loads,
                     2 * std::uint64_t((nx + 31) / 32 * 32) * ((ny + 7) / 8 * 8),
                     "a neighbour is loaded from global memory, not taken from the tile");
  }
  judge.run();
}

TEST_CASE("a large plate", "[large]") {
  course::Judge judge;
  const int nx = 1999, ny = 601;
  call(judge, ask(judge, nx, ny, 1), nx, ny, 1);
  judge.run();
}
