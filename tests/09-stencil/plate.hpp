// What the judges of lesson 09 hold a plate against: the same steps, one cell after the other.
#pragma once

#include "tests/grader/judge.hpp"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

struct Plate {
  int nx, ny;
  std::vector<float> u;
  std::vector<float> heat; // what a step adds, times 4
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

// What a message says of a Plate, or of a learner's answer.
template <class Solve> std::string text_of(const Solve &solve) {
  return std::to_string(solve.steps) + (solve.steps == 1 ? " step" : " steps") +
         ", the last of which changes " + course::element_of<double>().text(&solve.change);
}

// How far an answer may be off: each cell, and the change in relation to itself.
struct Rounding {
  double cell, change;
};
// Where no step rounds: the changes are added up in double, in any order.
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
  sizes.emplace_back(judge.number(400, 900), judge.number(least, 9));
  sizes.emplace_back(judge.number(least, 9), judge.number(400, 900));
  return sizes;
}

// A number between the changes of step `above` and of the one after it.
inline double tolerance_below(Plate plate, int above) {
  plate.solve(above, 0);
  const double change = plate.change;
  plate.step();
  return std::sqrt(change * plate.change);
}
