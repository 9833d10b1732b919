// The reference, the plates and the cases of the judges of lesson 09: the same steps, one cell
// after the other.
#pragma once

#include "common/grader/judge/judge.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

struct Plate {
  int nx, ny;
  std::vector<float> u;
  std::vector<float> heat; // of a step, times 4
  int steps = 0;
  double change = INFINITY; // by the last step

  Plate(int its_nx, int its_ny, std::vector<float> its_u, std::vector<float> its_heat)
      : nx(its_nx), ny(its_ny), u(std::move(its_u)), heat(std::move(its_heat)) {}

  void step() {
    const std::vector<float> before = u;
    double squares = 0;
    for (int y = 1; y < ny - 1; ++y)
      for (int x = 1; x < nx - 1; ++x) {
        const int i = y * nx + x;
        u[i] = 0.25f * (before[i - 1] + before[i + 1] + before[i - nx] + before[i + nx] + heat[i]);
        squares += std::pow(double(u[i]) - before[i], 2);
      }
    change = std::sqrt(squares);
    ++steps;
  }

  void solve(int most, double tolerance) {
    while (steps < most && change > tolerance)
      step();
  }

  std::string size() const { return std::to_string(nx) + " x " + std::to_string(ny) + " cells"; }
};

inline std::string text_of(int steps) {
  return std::to_string(steps) + (steps == 1 ? " step" : " steps");
}

// A Plate, or a learner's answer, in a message.
template <class Solve> std::string text_of(const Solve &solve) {
  return text_of(solve.steps) + ", the last of which changes " +
         course::element_of<double>().text(&solve.change);
}

// How far an answer may be off: each cell, and the change in relation to itself.
struct Rounding {
  double cell, change;
};
// No step rounds: the changes are added up in double, in any order.
constexpr Rounding exact{0, 1e-11};
// Numbers of about 1 and at most 40 steps: some roundings of 2^-24 in each, which takes the mean of
// four.
constexpr Rounding rounded{1e-5, 1e-4};

template <class Solve> bool agrees(const Plate &plate, const Solve &solve, Rounding rounding) {
  return solve.steps == plate.steps &&
         std::abs(solve.change - plate.change) <= rounding.change * plate.change;
}

// Whole numbers times a power of two, with so few digits that a float holds all sums of this many
// steps, at most 6: each step adds two digits, and sums of five numbers three.
inline std::vector<float> exact_numbers(course::Judge &judge, std::size_t count, int steps,
                                        int exponent) {
  const int largest = 1 << (21 - 2 * steps);
  std::vector<float> numbers(count);
  for (float &number : numbers)
    number = std::ldexp(float(judge.number(-largest, largest)), exponent);
  return numbers;
}

// Sizes of plates: both sides from all families, and each once far longer than the other. At least
// 3 cells a side where there has to be an inner one.
inline std::vector<std::pair<int, int>> plate_sizes(course::Judge &judge, int least = 3) {
  const auto nx = judge.sizes(96), ny = judge.sizes(96);
  std::vector<std::pair<int, int>> sizes{{least, least}};
  for (std::size_t i = 0; i < nx.size(); ++i)
    sizes.emplace_back(std::max(least, nx[i]), std::max(least, ny[i]));
  sizes.emplace_back(judge.number(1100, 2000), judge.number(least, 9));
  sizes.emplace_back(judge.number(least, 9), judge.number(1100, 2000));
  return sizes;
}

// The exercise `source` has heat, `cold_corner` has none.
template <class F>
constexpr bool has_heat = std::is_invocable_v<F, float *, const float *, int, int, int, double>;

// Very large, very small and usual numbers, which this many steps do not round.
template <class F> Plate exact_plate(course::Judge &judge, int nx, int ny, int steps) {
  const int exponent = judge.number(-80, 100);
  const std::size_t cells = std::size_t(nx) * ny;
  Plate plate{nx, ny, exact_numbers(judge, cells, steps, exponent), std::vector<float>(cells)};
  if (has_heat<F>)
    plate.heat = exact_numbers(judge, cells, steps, exponent);
  return plate;
}

template <class F> Plate any_plate(course::Judge &judge, int nx, int ny) {
  Plate plate{nx, ny, judge.numbers<float>(nx * ny), std::vector<float>(nx * ny)};
  if (has_heat<F>)
    plate.heat = judge.numbers<float>(nx * ny);
  return plate;
}

// A plate of one inner cell, which changes.
template <class F> Plate one_cell(course::Judge &judge) {
  for (;;) {
    const Plate plate = exact_plate<F>(judge, 3, 3, 6);
    Plate after = plate;
    after.step();
    if (after.change > 0)
      return plate;
  }
}

// Plates at which the end is often missed or comes too soon, with the number of steps allowed and
// the tolerance.
struct Ending {
  std::string name;
  Plate plate;
  int most;
  double tolerance;
};
inline std::vector<Ending> endings() {
  const auto plate = [](int nx, int ny, std::vector<float> u) {
    return Plate{nx, ny, std::move(u), std::vector<float>(std::size_t(nx) * ny)};
  };
  const float next = std::nextafter(1.0f, 2.0f), large = 0x1p33f;
  return {
      {"all of the same temperature: a step changes nothing",
       plate(41, 29, std::vector<float>(41 * 29, 1.0f)), 100, 0},
      // The mean of all four is 1 when it is rounded.
      {"a mean that rounds to what the cell had: a step changes nothing",
       plate(3, 3, {1, next, 1, 1, 1, 1, 1, 1, 1}), 100, 0},
      // A fourth of it in each step: in a double, one step's squares do not last beside all of
      // them.
      {"one hot cell: large changes, then small ones",
       plate(4, 3, {0, 0, 0, 0, 0, large, 0, 0, 0, 0, 0, 0}), 20, 0},
  };
}

// A number between the changes of step `above` and of the one after it.
inline double tolerance_below(Plate plate, int above) {
  plate.solve(above, 0);
  const double change = plate.change;
  plate.step();
  return std::sqrt(change * plate.change);
}

// As large as a plate may be. No step rounds it, nor the sum of the changes' squares.
inline Plate large_plate() {
  Plate plate{1999, 2000, std::vector<float>(1999 * 2000), std::vector<float>(1999 * 2000)};
  for (std::size_t i = 0; i < plate.u.size(); ++i) {
    plate.u[i] = i % 251;
    plate.heat[i] = 0;
  }
  return plate;
}

template <class F>
course::Question<F> ask(course::Judge &judge, const Plate &plate, const std::string &also) {
  return judge.ask<F>(plate.size() + ", " + also);
}

template <class F>
void call(course::Question<F> question, const Plate &before, int most, double tolerance,
          Rounding rounding) {
  Plate after = before;
  after.solve(most, tolerance);
  const auto u = course::in_out(before.u, after.u, rounding.cell).shape(before.nx);
  if constexpr (has_heat<F>)
    question.with(u, before.heat, before.nx, before.ny, most, tolerance);
  else
    question.with(u, before.nx, before.ny, most, tolerance);
  question.returns_such_that(
      text_of(after),
      [after, rounding](const auto &solve) { return agrees(after, solve, rounding); },
      [](const auto &solve) { return text_of(solve); });
}

template <class F> void ask_few_steps(course::Judge &judge) {
  int steps = judge.number(1, 6);
  for (auto [nx, ny] : plate_sizes(judge)) {
    const Plate plate = exact_plate<F>(judge, nx, ny, steps);
    call(ask<F>(judge, plate, text_of(steps)), plate, steps, 0, exact);
    steps = steps % 6 + 1; // odd and even ones
  }
}

// So many steps that none may be left out, on a plate that still changes after them.
template <class F> void ask_many_steps(course::Judge &judge) {
  const int steps = judge.number(520, 600);
  const Plate plate = any_plate<F>(judge, judge.number(33, 40), judge.number(33, 40));
  call(ask<F>(judge, plate, text_of(steps)), plate, steps, 0, Rounding{1e-4, 1e-2});
}

// A plate that cools down for more than 1000 steps, by 4 % in each, and ends by its tolerance then.
// The edge is 0, so that rounding stays small beside all cells, however cold they are.
template <class F> void ask_late_end(course::Judge &judge) {
  Plate plate{12, 12, std::vector<float>(144), std::vector<float>(144)};
  const float warm = std::ldexp(judge.number(1.0f, 2.0f), 30);
  for (int y = 1; y < 11; ++y)
    std::fill_n(&plate.u[12 * y + 1], 10, warm);
  const double tolerance = tolerance_below(plate, judge.number(1030, 1060));
  call(ask<F>(judge, plate, "until a step changes little, which takes more than 1000 steps"), plate,
       20'000, tolerance, Rounding{1e-4, 1e-3});
}

// Plates that end by their tolerance, which lies between the changes of two steps, or is one.
template <class F> void ask_until(course::Judge &judge) {
  for (int wanted : {1, 2, judge.number(10, 30)}) {
    const Plate plate = any_plate<F>(judge, judge.number(33, 60), judge.number(9, 40));
    const double tolerance = tolerance_below(plate, wanted);
    auto question =
        ask<F>(judge, plate, "until a step changes less than " + std::to_string(tolerance));
    call(question, plate, 1000, tolerance, rounded);
    question.at_most(&course::Work::bytes_to_host,
                     plate.u.size() * sizeof(float) + 64 + 16 * wanted,
                     "the host adds what the kernel has left.");
  }
  for (const Ending &ending : endings())
    call(ask<F>(judge, ending.plate, ending.name), ending.plate, ending.most, ending.tolerance,
         exact);

  // One inner cell, whose change is exact.
  const Plate cell = one_cell<F>(judge);
  Plate after = cell;
  after.solve(1, 0);
  call(ask<F>(judge, cell, "a tolerance that is the first step's change"), cell, 5, after.change,
       exact);
  call(ask<F>(judge, cell, "a tolerance a little below the first step's change"), cell, 5,
       std::nextafter(after.change, 0), exact);
}

// Plates one after the other in a process, where one side changes at a time; kernels that do
// nothing; and a launch that fails.
template <class F> void ask_several(course::Judge &judge) {
  const int nx = judge.number(33, 60), ny = judge.number(9, 40);
  const Plate small = exact_plate<F>(judge, nx, ny, 3);
  const auto several = ask<F>(judge, small, "then larger ones, then as before");
  call(several, small, 3, 0, exact);
  call(several, exact_plate<F>(judge, nx + 29, ny, 2), 2, 0, exact);
  Plate large = exact_plate<F>(judge, nx + 29, ny + 17, 5);
  call(several, large, 1, 0, exact);
  const int middle = large.ny / 2 * large.nx + large.nx / 2;
  large.u[middle] += std::abs(large.u[0]) + std::abs(large.u[1]);
  large.heat[middle] *= 2; // if not 0
  call(several, large, 3, 0, exact);
  call(several, large, 4, 0, exact); // this number only
  call(several, exact_plate<F>(judge, nx, ny, 2), 2, 0, exact);
  Plate tiny = small; // all that is left of the calls before is large beside it; or subnormal
  for (std::vector<float> *numbers : {&tiny.u, &tiny.heat})
    for (float &number : *numbers)
      number = std::ldexp(number, -60);
  call(several, tiny, 3, 0, exact);

  const Plate odd = exact_plate<F>(judge, 63, 31, 3); // a rest for any block
  auto idle = ask<F>(judge, odd, "and the kernel does nothing");
  call(idle, odd, 3, 0, exact);
  idle.without_kernels();
  auto refused = ask<F>(judge, small, "and the launch fails");
  call(refused, small, 1, 0, exact);
  refused.launches_fail().fails("invalid");
}
