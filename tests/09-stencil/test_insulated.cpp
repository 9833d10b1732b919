// Judges exercise 09-stencil/insulated: plates that are a tile, a little less and a little more, a
// single row, column and cell; odd and even numbers of steps; and that a tile is loaded, not each
// neighbour.
#include "exercises/09-stencil/insulated.hpp"
#include "tests/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

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

void call(Question question, course::Judge &judge, int nx, int ny, int steps) {
  const auto u = judge.numbers<float>(nx * ny);
  // Nine roundings of 2^-24 of at most 20 a step, divided by 20.
  question.with(course::in_out(u, spread(u, nx, ny, steps), 1e-5).shape(nx), nx, ny, steps);
}

Question ask(course::Judge &judge, int nx, int ny, int steps) {
  Question question =
      judge.ask<decltype(insulated)>(std::to_string(nx) + " x " + std::to_string(ny) + " cells, " +
                                     std::to_string(steps) + (steps == 1 ? " step" : " steps"));
  call(question, judge, nx, ny, steps);
  if (steps == 0)
    question.needs_no_kernel();
  return question;
}

} // namespace

TEST_CASE("heat spreads and stays on the plate") {
  course::Judge judge;
  ask(judge, 32, 8, 1);
  ask(judge, 37, 21, 1);
  ask(judge, 21, 37, 2);
  ask(judge, 31, 7, 3);
  ask(judge, 33, 9, 3);
  ask(judge, 64, 16, 4);
  ask(judge, 1, 1, 3);
  ask(judge, 1, 50, 2);
  ask(judge, 50, 1, 2);
  ask(judge, 2, 2, 5);
  ask(judge, 20, 10, 0);
  ask(judge, judge.number(100, 200), judge.number(30, 90), judge.number(3, 6));
  judge.run();
}

TEST_CASE("one plate after the other") {
  course::Judge judge;
  const Question question = judge.ask<decltype(insulated)>("37 x 21 cells, then 50 x 30 others");
  call(question, judge, 37, 21, 2);
  call(question, judge, 50, 30, 3);
  judge.run();
}

TEST_CASE("through a tile in shared memory") {
  course::Judge judge;
  // 34 x 10 loads for 32 x 8 cells: 1.33 a cell; without a tile there are 8.
  ask(judge, 160, 80, 1)
      .at_most(&course::Work::global_loads, 2 * 160 * 80,
               "a neighbour is loaded from global memory, not taken from the tile");
  judge.run();
}
