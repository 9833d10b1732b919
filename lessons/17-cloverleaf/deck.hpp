// What to compute: the settings of an input deck, which read_deck.hpp reads.
#pragma once

#include <array>
#include <climits>
#include <limits>
#include <vector>

constexpr double not_given = std::numeric_limits<double>::quiet_NaN();

// A gas at rest or in motion, and where it is at the start: in each cell of the geometry. A circle
// and a point have their centre at (xmin, ymin).
struct State {
  double density = not_given, energy = not_given; // energy: of a unit of mass
  double xvel = 0, yvel = 0;
  enum class Geometry { rectangle, circle, point } geometry = Geometry::rectangle;
  double xmin = not_given, xmax = not_given, ymin = not_given, ymax = not_given;
  double radius = not_given;
};

struct Deck {
  std::vector<State> states; // the first is the background: it fills the domain
  int x_cells = 10, y_cells = 10;
  double xmin = 0, xmax = 100, ymin = 0, ymax = 100;
  double initial_timestep = 0.1, max_timestep = 1, timestep_rise = 1.5, end_time = 10;
  int end_step = INT_MAX;
  int summary_frequency = 10; // steps between two summaries; 0: only the last one
  int visit_frequency = 0;    // steps between two pictures; 0: none
  int test_problem = 0;       // whose kinetic energy is known; 0: none
};

// The kinetic energy at the end of a test problem, as the original's authors publish it, and how
// far a result may be from it, relatively. 1 to 5 are of the first version, in Fortran.
struct TestProblem {
  int number;
  double kinetic_energy;
};
constexpr std::array<TestProblem, 8> test_problems = {{{1, 1.82280367310258},
                                                       {2, 1.19316898756307},
                                                       {3, 2.58984003503994},
                                                       {4, 0.307475452287895},
                                                       {5, 4.85350315783719},
                                                       {168, 2.465082e-02},
                                                       {287, 6.062609e-01},
                                                       {487, 6.088288e-01}}};
constexpr double test_problem_tolerance = 1e-5;

// NaN where the deck is none of these problems.
inline double published_kinetic_energy(int test_problem) {
  for (const TestProblem &known : test_problems)
    if (known.number == test_problem)
      return known.kinetic_energy;
  return not_given;
}
