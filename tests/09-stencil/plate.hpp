// What the judges of lesson 09 hold a plate against: the same steps, one cell after the other.
#pragma once

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

  // Whether a learner's answer is right: the same number of steps, and the change up to rounding.
  // The fields are floats of about 1, right to 1e-6 after some steps, and the changes asked about
  // are above 1e-2 a plate: 1e-4 of that.
  template <class Solve> bool agrees(const Solve &solve) const {
    return solve.steps == steps && std::abs(solve.change - change) <= 1e-4 * change + 1e-6;
  }
};

// What a message says of a Plate, or of a learner's answer.
template <class Solve> std::string text_of(const Solve &solve) {
  return std::to_string(solve.steps) + (solve.steps == 1 ? " step" : " steps") +
         ", the last of which changes " + std::to_string(solve.change);
}

// Some roundings of 2^-24 in each of at most 40 steps, each of which takes the mean of four.
const double plate_tolerance = 1e-5;
