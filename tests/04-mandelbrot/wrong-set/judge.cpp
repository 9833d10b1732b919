// Judges exercise 04-mandelbrot/wrong-set: the Mandelbrot set with complex numbers of the standard
// library. Few steps, so that double's rounding decides nothing.
#include "common/grader/judge/judge.hpp"
#include "exercises/04-mandelbrot/wrong-set.hpp"

#include <catch2/catch_test_macros.hpp>

#include <complex>

namespace {

using Question = course::Question<decltype(wrong_set)>;

int steps_of(std::complex<double> c, int max_steps) {
  std::complex<double> z = 0;
  int step = 0;
  for (; step < max_steps && std::abs(z) <= 2; ++step)
    z = z * z + c;
  return step;
}

void call(Question &question, int width, int height, double x0, double y0, double pixel,
          int max_steps) {
  std::vector<int> steps;
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col)
      steps.push_back(steps_of({x0 + col * pixel, y0 + row * pixel}, max_steps));
  question.with(course::output(steps).shape(width), width, height, x0, y0, pixel, max_steps);
}

// A window that shows a part of the set and of what is around it.
Question ask(course::Judge &judge, int width, int height, int max_steps) {
  auto question = judge.ask<decltype(wrong_set)>("an image of " + std::to_string(width) + " x " +
                                                 std::to_string(height) + " pixels, " +
                                                 std::to_string(max_steps) + " steps");
  const double pixel = 2.6 / std::max(width, height);
  call(question, width, height, judge.number(-2.2, -1.8), judge.number(-1.3, -0.9), pixel,
       max_steps);
  return question;
}

} // namespace

TEST_CASE("the Mandelbrot set") {
  course::Judge judge;
  ask(judge, 79, 61, 20);
  for (auto [width, height] : judge.shapes(2000))
    ask(judge, width, height, judge.number(5, 20));
  ask(judge, 100, 100, 1);
  // Near c = i, and so narrow that float cannot tell one pixel from the next.
  auto narrow = judge.ask<decltype(wrong_set)>("pixels of 1e-8");
  call(narrow, 40, 30, judge.number(-2e-7, -1e-7), 1 - 2e-7, 1e-8, 26);
  // Exact in double, and c = -2 among them: there |z| stays 2.
  auto rim = judge.ask<decltype(wrong_set)>("|z| = 2 is not above 2");
  call(rim, 17, 17, -2, -2, 0.25, judge.number(6, 12));
  // One row of real numbers around c = -2, exact as well: beyond it |z| is above 2 by a millionth
  // of a millionth, and grows.
  auto edge = judge.ask<decltype(wrong_set)>("|z| = 2 + 1e-12 is above 2");
  call(edge, 17, 1, -2 - 0x1p-37, 0, 0x1p-40, judge.number(3, 12));
  // The middle of the heart: z ends there, however long one waits.
  auto heart = judge.ask<decltype(wrong_set)>("many steps, and no pixel escapes");
  call(heart, 20, 10, -0.1, -0.1, 0.01, judge.number(4500, 5000));
  // Right of the heart's cusp z hardly moves for most of its steps, and escapes.
  auto cusp = judge.ask<decltype(wrong_set)>("thousands of steps, and all pixels escape");
  call(cusp, 5, 4, 0.25 + 4.3e-7, 0, 1e-7, 5000);
  // Far outside z is soon above any double, and then no number.
  auto far = judge.ask<decltype(wrong_set)>("far outside");
  call(far, 20, 10, -1e6, 1000, 1e5, judge.number(12, 40));
  // Exact in double, and c of column 9000 is -2 + 1e-12; who adds up `pixel` loses a half of the
  // last digit in each column, and is beyond -2 there.
  auto wide = judge.ask<decltype(wrong_set)>("10000 columns, one of them at |z| = 2");
  call(wide, 10'000, 1, -2 - 9000 * 0x1p-14 - 4500 * 0x1p-52, 0, 0x1p-14 + 0x1p-52, 12);
  judge.run();
}

TEST_CASE("one image after the other; and a kernel that does nothing") {
  course::Judge judge;
  const int width = judge.number(50, 90), height = judge.number(100, 130);
  const double x0 = judge.number(-2.0, -1.5), y0 = judge.number(-1.2, -0.9), pixel = 0.02;
  auto question = ask(judge, width, height, 12);
  call(question, width, height, x0, y0, pixel, 12);
  call(question, width, height, x0, y0, pixel, 19);
  call(question, width, height, x0 + 0.3, y0, pixel, 19);
  call(question, width, height, x0 + 0.3, y0 + 0.2, pixel, 19);
  call(question, width, height, x0 + 0.3, y0 + 0.2, pixel / 2, 19);
  call(question, width, 2 * height, x0, y0, pixel / 2, 19);
  call(question, width, height, x0, y0, pixel, 12);
  ask(judge, 95, 63, 15).without_kernels(); // no multiple of a block
  judge.run();
}

TEST_CASE("as wide, as tall and as large as it may be", "[large]") {
  course::Judge judge;
  ask(judge, 100'000, 1, judge.number(5, 20));
  ask(judge, 1, 100'000, judge.number(5, 20));
  const int width = judge.number(1100, 1700);
  ask(judge, width, 2'000'000 / width, 3);
  judge.run();
}
