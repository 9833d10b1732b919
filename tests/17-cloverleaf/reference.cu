// The program's start and steps must agree with the capstone's judge, which has the equations in
// another form, for the whole mesh on the host. No energy is published for a two-dimensional mesh
// that is small enough for a test.
//
// Run: ./reference DECK
#include "common/verify.hpp"
#include "lessons/17-cloverleaf/run.hpp"
#include "tests/17-cloverleaf/gas.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

constexpr int steps = 20;

// The last state that a cell belongs to. Outside the mesh there is the background.
int state_at(const Deck &deck, const course::Gas &gas, int col, int row) {
  if (col < 0 || col >= gas.nx || row < 0 || row >= gas.ny)
    return 0;
  const double x = deck.xmin + (col + 0.5) * gas.dx, y = deck.ymin + (row + 0.5) * gas.dy;
  int last = 0;
  for (int i = 1; i < int(deck.states.size()); ++i) {
    const State &s = deck.states[i];
    // Whether a cell this far from a centre is in what extends so far from there.
    const auto within = [](double off, double extent) { return std::abs(off) < extent; };
    bool is_in = std::hypot(x - s.xmin, y - s.ymin) <= s.radius;
    if (s.geometry == State::point)
      is_in = within(x - s.xmin, gas.dx / 2) && within(y - s.ymin, gas.dy / 2);
    if (s.geometry == State::rectangle)
      is_in = within(x - (s.xmin + s.xmax) / 2, (s.xmax - s.xmin + 0.98 * gas.dx) / 2) &&
              within(y - (s.ymin + s.ymax) / 2, (s.ymax - s.ymin + 0.98 * gas.dy) / 2);
    if (is_in)
      last = i;
  }
  return last;
}

course::Gas gas_of(const Deck &deck, double dx, double dy) {
  course::Gas gas(deck.x_cells, deck.y_cells, dx, dy);
  const auto state = [&](int x, int y) { return state_at(deck, gas, x, y); };
  for (int y = 0; y <= gas.ny; ++y)
    for (int x = 0; x <= gas.nx; ++x) {
      if (x < gas.nx && y < gas.ny) {
        gas.density.at(x, y) = deck.states[state(x, y)].density;
        gas.energy.at(x, y) = deck.states[state(x, y)].energy;
      }
      const State &moving = deck.states[std::max(
          {state(x, y), state(x - 1, y), state(x, y - 1), state(x - 1, y - 1)})];
      gas.xvel.at(x, y) = x == 0 || x == gas.nx ? 0 : moving.xvel;
      gas.yvel.at(x, y) = y == 0 || y == gas.ny ? 0 : moving.yvel;
    }
  return gas;
}

// Test problem 1 of the original by the judge's equations.
double kinetic_energy_of_problem_1() {
  course::Gas gas(10, 2, 1, 1);
  for (int y = 0; y < gas.ny; ++y)
    for (int x = 0; x < gas.nx; ++x) {
      gas.density.at(x, y) = x < gas.nx / 2 ? 1.0 : 0.2;
      gas.energy.at(x, y) = x < gas.nx / 2 ? 2.5 : 1.0;
    }
  for (int step = 0; step < 75; ++step)
    gas.step(0.04, step % 2 == 0);
  return gas.kinetic_energy();
}

int main(int argc, char **argv) {
  const course::Ranks ranks(&argc, &argv);
  const Deck deck = read_deck(argv[1]);
  const double dx = (deck.xmax - deck.xmin) / deck.x_cells;
  const double dy = (deck.ymax - deck.ymin) / deck.y_cells;
  Chunk chunk(place_of(0, 1, deck.x_cells, deck.y_cells), dx, dy);
  Halo halo(chunk);
  course::Gas gas = gas_of(deck, dx, dy);
  start(deck, chunk);

  bool correct = true;
  // All values are of magnitude 1, or 0.
  const auto compare = [&](const char *what, const double *d_field, const course::Mirrored &want,
                           int more, double tolerance) {
    const std::vector<double> got = chunk.to_host(d_field, more);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < got.size(); ++i)
      wrong += !(std::abs(got[i] - want(int(i) % want.width, int(i) / want.width)) <= tolerance);
    if (wrong > 0)
      std::printf("%s: %zu of %zu values are wrong\n", what, wrong, got.size());
    correct = correct && wrong == 0;
  };
  const auto compare_all = [&](double tolerance) {
    compare("density", chunk.f.density0, gas.density, 0, tolerance);
    compare("energy", chunk.f.energy0, gas.energy, 0, tolerance);
    compare("x velocity", chunk.f.xvel0, gas.xvel, 1, tolerance);
    compare("y velocity", chunk.f.yvel0, gas.yvel, 1, tolerance);
  };
  compare_all(0);
  double dt = deck.initial_timestep, expected = dt;
  for (int step = 1; step <= steps; ++step) {
    const auto limit = [&](double before) {
      return std::min(before * deck.timestep_rise, deck.max_timestep);
    };
    expected = gas.step(limit(expected), step % 2 == 1);
    dt = std::min(allowed_time_step(chunk, halo), limit(dt));
    hydro_step(chunk, halo, dt, step % 2 == 1);
  }
  compare_all(1e-11);
  correct = course::verify_value("time step", dt, expected, 1e-10) && correct;
  correct = course::verify_value("the judge's kinetic energy", kinetic_energy_of_problem_1(),
                                 published_kinetic_energy(1), 1e-10) &&
            correct;
  return course::verdict(correct);
}
