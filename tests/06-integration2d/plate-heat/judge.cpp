// Judges exercise 06-integration2d/plate-heat: rows longer and shorter than a block, a plate that
// is not square; and last, since titles and order tell the learner which stage is reached, blocks
// that are no power of two.
#include "common/grader/judge/judge.hpp"
#include "exercises/06-integration2d/plate-heat.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace {

using Question = course::Question<decltype(plate_heat)>;

// Temperatures up to 373, times the scale.
void ask_also(Question &question, int nx, int ny, double width, double height, int block,
              const std::vector<float> &temperature, float scale = 1) {
  std::vector<double> profile(ny);
  double heat = 0;
  for (int iy = 0; iy < ny; ++iy) {
    double sum = 0;
    for (int ix = 0; ix < nx; ++ix)
      sum += temperature[std::size_t(iy) * nx + ix];
    profile[iy] = sum * width / nx;
    heat += profile[iy] * height / ny;
  }
  // A row's profile is below 373 * width, times the scale. It has at most nx - 1 roundings of 2^-53
  // for the sum and three for the factor, in whatever order; so has the expected one. The heat is
  // height times that, with ny - 1 and three more.
  const double rounding = 2 * std::ldexp(1.0, -53) * 373 * width * scale;
  question.with(nx, ny, width, height, temperature, course::output(profile, rounding * (nx + 2)),
                block);
  question.returns(heat, height * rounding * (nx + ny + 4));
}

void ask_also(course::Judge &judge, Question &question, int nx, int ny, int block,
              const std::vector<float> &temperature, float scale = 1) {
  ask_also(question, nx, ny, judge.number(1.0, 2.0), judge.number(3.0, 4.0), block, temperature,
           scale);
}

std::vector<float> drawn(course::Judge &judge, int nx, int ny, float scale = 1) {
  return judge.numbers<float>(std::size_t(nx) * ny, 273 * scale, 373 * scale);
}

void ask_also(course::Judge &judge, Question &question, int nx, int ny, int block,
              float scale = 1) {
  ask_also(judge, question, nx, ny, block, drawn(judge, nx, ny, scale), scale);
}

std::string title(int nx, int ny, int block) {
  const bool power_of_two = (block & (block - 1)) == 0;
  return std::string(power_of_two ? "stage 1" : "stage 2, any block size") + ": " +
         std::to_string(ny) + " rows of " + std::to_string(nx) + " cells, blocks of " +
         std::to_string(block);
}

void ask(course::Judge &judge, int nx, int ny, int block) {
  auto question = judge.ask<decltype(plate_heat)>(title(nx, ny, block));
  question.launches_blocks_of(block);
  ask_also(judge, question, nx, ny, block);
}

} // namespace

TEST_CASE("stage 1: blocks of a power of two") {
  course::Judge judge;
  ask(judge, 1000, 333, 256);
  for (auto [nx, ny] : judge.shapes(5000))
    ask(judge, nx, ny, 1 << judge.number(0, 8));
  ask(judge, 10'007, 40, 1024);
  judge.run();
}

TEST_CASE("more rows than a grid has in y, as long a row, and fewer cells in a row than threads") {
  course::Judge judge;
  ask(judge, judge.number(1, 3), judge.number(99'000, 100'000), 2);
  ask(judge, judge.number(99'000, 100'000), 3, 1 << judge.number(0, 8));
  ask(judge, judge.number(2, 255), 600, 256);
  judge.run();
}

TEST_CASE("as hot as a star, and as cold as can be") {
  course::Judge judge;
  for (int exponent : {judge.number(30, 60), judge.number(-60, -30)}) {
    auto question = judge.ask<decltype(plate_heat)>("stage 1: temperatures times 2^" +
                                                    std::to_string(exponent));
    ask_also(judge, question, 301, 40, 64, std::ldexp(1.0f, exponent));
  }
  judge.run();
}

TEST_CASE("temperatures that are not finite") {
  course::Judge judge;
  auto infinite = judge.ask<decltype(plate_heat)>("stage 1: one cell is infinite, then one is NaN, "
                                                  "too");
  for (const auto &special : {std::vector<float>{INFINITY}, {INFINITY, NAN}})
    ask_also(judge, infinite, 301, 40, 64, judge.sprinkled(drawn(judge, 301, 40), special));
  judge.run();
}

TEST_CASE("one plate after the other, and a kernel that does nothing") {
  course::Judge judge;
  auto question = judge.ask<decltype(plate_heat)>(
      title(300, 60, 128) + ", then more cells, then more rows, then as many, then as before");
  for (auto [nx, ny] : {std::pair(300, 60), {1000, 60}, {1000, 300}, {1000, 300}, {300, 60}})
    ask_also(judge, question, nx, ny, 128);
  auto temperature = drawn(judge, 300, 60);
  for (auto [width, height] : {std::pair(1.0, 1.0), {1000.0, 1.0}, {1000.0, 0.001}, {0.001, 0.001}})
    ask_also(question, 300, 60, width, height, 128, temperature);
  temperature[9100] += 100; // this number only
  ask_also(question, 300, 60, 0.001, 0.001, 128, temperature, 2);
  auto idle =
      judge.ask<decltype(plate_heat)>(title(319, 63, 128) + ", and the kernel does nothing");
  ask_also(judge, idle, 319, 63, 128);
  idle.without_kernels(course::Host::sees_results);
  judge.run();
}

// The last ones: where only these fail, stage 1 is reached.
TEST_CASE("stage 2: blocks of any size") {
  course::Judge judge;
  ask(judge, 1000, 333, 96);
  for (int nx : judge.sizes(20'000))
    ask(judge, nx, judge.number(2, 30), judge.number(2, 1023));
  for (int block : {3, 33, 1000})
    ask(judge, judge.number(200, 900), judge.number(100, 200), block);
  judge.run();
}

TEST_CASE("more cells than a float counts", "[large]") {
  course::Judge judge;
  const int nx = judge.number(256, 259), ny = 17'000'000 / nx, block = 3;
  std::vector<float> temperature(std::size_t(nx) * ny);
  for (std::size_t i = 0; i < temperature.size(); ++i)
    temperature[i] = 273 + i / nx % 97;
  auto question = judge.ask<decltype(plate_heat)>(title(nx, ny, block));
  ask_also(judge, question, nx, ny, block, temperature);
  judge.run();
}
