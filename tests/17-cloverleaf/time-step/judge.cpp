// Judges exercise 17-cloverleaf/time-step: each of the four limits decides in turn, in any cell;
// ghost cells and outer nodes would allow a far shorter step; a minimum that begins at 0, or at a
// number that is not large enough.
#include "exercises/17-cloverleaf/time-step.hpp"
#include "tests/17-cloverleaf/fields.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace {

using course::Values;
using Question = course::Question<decltype(time_step)>;

constexpr double outside = 1e9; // sound and velocities around the inner cells and their nodes

// Cold gas at rest. What lies around the inner cells and their nodes is hot and fast.
struct Gas {
  int nx, ny;
  double dx, dy;
  Values density, viscosity, sound_speed, xvel, yvel;

  Gas(course::Judge &judge, int its_nx, int its_ny)
      : nx(its_nx), ny(its_ny), dx(judge.number(0.1, 10.0)), dy(judge.number(0.1, 10.0)),
        density(judge.numbers(course::cells(nx, ny), 0.5, 2.0)), viscosity(density.size()),
        sound_speed(density.size(), outside), xvel(course::nodes(nx, ny), outside), yvel(xvel) {
    for (int row = 2; row < ny + 2; ++row)
      for (int col = 2; col < nx + 2; ++col)
        sound_speed[cell(col, row)] = 0;
    for (int row = 2; row < ny + 3; ++row)
      for (int col = 2; col < nx + 3; ++col)
        xvel[node(col, row)] = yvel[node(col, row)] = 0;
  }

  std::size_t cell(int col, int row) const { return std::size_t(row) * (nx + 4) + col; }
  std::size_t node(int col, int row) const { return std::size_t(row) * (nx + 5) + col; }

  // Sets the values of inner cells, of an array of cells, or of the nodes around them.
  template <class Value> void set(Values &values, Value value) {
    const int more = values.size() > density.size() ? 1 : 0;
    for (int row = 2; row < ny + 2 + more; ++row)
      for (int col = 2; col < nx + 2 + more; ++col)
        values[std::size_t(row) * (nx + 4 + more) + col] = value(col, row);
  }
};

enum Divergence { LIMITS_COMPRESSION, LEFT_OUT, LIMITS_EXPANSION_TOO }; // the first is right

// As the equations are written: by what flows through the four sides of a cell.
double longest_step(const Gas &gas, Divergence what = LIMITS_COMPRESSION) {
  long double step = INFINITY;
  const long double dx = gas.dx, dy = gas.dy, volume = dx * dy;
  for (int row = 2; row < gas.ny + 2; ++row)
    for (int col = 2; col < gas.nx + 2; ++col) {
      const std::size_t cell = gas.cell(col, row);
      const auto through = [&](const Values &velocity, int to_col, int to_row, int along,
                               long double area) {
        return area *
               (velocity[gas.node(col + to_col, row + to_row)] +
                (long double)velocity[gas.node(col + to_col + !along, row + to_row + along)]);
      };
      const long double left = through(gas.xvel, 0, 0, 1, dy),
                        right = through(gas.xvel, 1, 0, 1, dy);
      const long double below = through(gas.yvel, 0, 0, 0, dx),
                        above = through(gas.yvel, 0, 1, 0, dx);
      const long double speed2 = (long double)gas.sound_speed[cell] * gas.sound_speed[cell] +
                                 2 * (long double)gas.viscosity[cell] / gas.density[cell];
      const long double divergence = (right - left + above - below) / (2 * volume);
      step = std::min({step, 0.7L * std::min(dx, dy) / std::sqrt(speed2),
                       volume / std::max(std::abs(left), std::abs(right)),
                       volume / std::max(std::abs(below), std::abs(above)),
                       what == LEFT_OUT || (divergence >= 0 && what == LIMITS_COMPRESSION)
                           ? INFINITY
                           : 0.7L / std::abs(divergence)});
    }
  return double(step);
}

void call(Question question, const Gas &gas) {
  const double step = longest_step(gas);
  std::vector<std::pair<double, std::string>> mistakes{
      {longest_step(gas, LEFT_OUT), "the limit of the divergence is left out"},
      {longest_step(gas, LIMITS_EXPANSION_TOO),
       "cells that expand are limited, too: only a divergence below 0 is a limit"},
      {INFINITY, "no thread's number reaches the result"},
      {INFINITY, "a time below 0: its bits read as a whole number are more than those of INFINITY"},
      {0.0, "0 is the identity of a sum, and 1e30 that of nothing: a minimum begins at INFINITY"}};
  if (step < 1e6) { // else all times are within its tolerance
    mistakes.push_back(
        {0.0, "a time is converted to a whole number: __double_as_longlong gives its bits"});
    for (double length : {0.7 * std::min(gas.dx, gas.dy), gas.dx / 2, gas.dx, gas.dy / 2, gas.dy})
      mistakes.push_back({length / outside, "the column, row or width of a cell or of its nodes is "
                                            "wrong: one that is not inside decides"});
  }
  question
      .with(gas.nx, gas.ny, gas.dx, gas.dy, gas.density, gas.viscosity, gas.sound_speed, gas.xvel,
            gas.yvel)
      .returns(step, std::isinf(step) ? 0 : 1e-13 * step, mistakes);
}

// All four kinds of limits, in all cells.
Gas any(course::Judge &judge, int nx, int ny) {
  Gas gas(judge, nx, ny);
  gas.set(gas.sound_speed, [&](int, int) { return judge.number(0.1, 1.0); });
  gas.set(gas.viscosity, [&](int, int) { return judge.number(0.0, 0.5); });
  gas.set(gas.xvel, [&](int, int) { return judge.number(-1.0, 1.0); });
  gas.set(gas.yvel, [&](int, int) { return judge.number(-1.0, 1.0); });
  return gas;
}

Question ask(course::Judge &judge, int nx, int ny, const std::string &also = "") {
  return judge.ask<decltype(time_step)>(course::size_of(nx, ny) + also);
}

} // namespace

TEST_CASE("the longest step that all cells allow") {
  course::Judge judge;
  for (auto [nx, ny] : course::field_sizes(judge, 0, 0))
    call(ask(judge, nx, ny), any(judge, nx, ny));
  judge.run();
}

TEST_CASE("one limit decides") {
  course::Judge judge;
  const int nx = judge.number(3, 40), ny = judge.number(3, 20);
  const auto gas = [&] { return Gas(judge, nx, ny); };
  const auto one_cell = [&](Gas &gas, Values &values, double value) {
    values[gas.cell(judge.number(2, nx + 1), judge.number(2, ny + 1))] = value;
  };

  const Question sound = ask(judge, nx, ny, ": sound, viscosity");
  for (double flat : {0.5, 2.0}) {
    Gas fast = gas();
    fast.dx = 1, fast.dy = flat;
    one_cell(fast, fast.sound_speed, 3);
    call(sound, fast);
    Gas viscous = gas();
    one_cell(viscous, viscous.viscosity, 3);
    call(sound, viscous);
    for (double density : {1e-6, 1e6}) {
      std::fill(viscous.density.begin(), viscous.density.end(), density);
      call(sound, viscous);
    }
  }

  const Question nodes = ask(judge, nx, ny, ": nodes that all move alike, in x and in y");
  for (double speed : {-2.0, 3.0}) {
    Gas in_x = gas(), in_y = gas();
    in_x.set(in_x.xvel, [&](int, int) { return speed; });
    in_y.set(in_y.yvel, [&](int, int) { return speed; });
    call(nodes, in_x);
    call(nodes, in_y);
  }

  const Question sides = ask(judge, nx, ny, ": the sides of a cell move apart, one of them faster");
  for (auto [u, v] : {std::pair(-5.0, 0.0), {0.0, -5.0}}) {
    Gas apart = gas();
    const int col = judge.number(2, nx + 1), row = judge.number(2, ny + 1);
    for (int right : {0, 1})
      for (int above : {0, 1}) {
        const std::size_t node = apart.node(col + right, row + above);
        apart.xvel[node] = right ? -0.2 * u : u;
        apart.yvel[node] = above ? -0.2 * v : v;
      }
    call(sides, apart);
  }

  // Toward the middle of an inner cell, and away from it: the first alone is a compression. In x,
  // in y, and both.
  for (auto [to, what] :
       {std::pair(1.0, "is compressed"), {-1.0, "expands"}, {4e-30, "is compressed very slowly"}}) {
    const Question divergence = ask(judge, nx, ny, std::string(": one cell ") + what);
    for (auto [u, v] : {std::pair(to, 0.0), {0.0, to}, {to, to}, {to, -0.25 * to}}) {
      Gas squeezed = gas();
      const int col = judge.number(2, nx + 1), row = judge.number(2, ny + 1);
      for (int right : {0, 1})
        for (int above : {0, 1}) {
          const std::size_t node = squeezed.node(col + right, row + above);
          squeezed.xvel[node] = right ? -u : u;
          squeezed.yvel[node] = above ? -v : v;
        }
      call(divergence, squeezed);
    }
  }
  judge.run();
}

TEST_CASE("where the shortest step is; and none") {
  course::Judge judge;
  const int nx = judge.number(33, 60), ny = judge.number(2, 5);
  const Question places = ask(judge, nx, ny, ": each corner, then each lane of a warp");
  const auto hot_at = [&](int col, int row) {
    Gas gas(judge, nx, ny);
    gas.sound_speed[gas.cell(col, row)] = judge.number(1.0, 2.0);
    call(places, gas);
  };
  for (int col : {2, nx + 1})
    for (int row : {2, ny + 1})
      hot_at(col, row);
  for (int lane = 0; lane < 32; ++lane)
    hot_at(2 + lane, judge.number(2, ny + 1));

  const Question warps = ask(judge, 70, 40, ": in each warp of several blocks");
  for (int warp = 0; warp < 64; ++warp) {
    const int cell = 32 * warp + judge.number(0, 31);
    Gas gas(judge, 70, 40);
    gas.sound_speed[gas.cell(cell % 70 + 2, cell / 70 + 2)] = judge.number(1.0, 2.0);
    call(warps, gas);
  }

  const Question slow = ask(judge, nx, ny, ": very long steps, then no limit at all");
  Gas gas(judge, nx, ny);
  gas.set(gas.sound_speed, [&](int, int) { return judge.number(1e-150, 2e-150); });
  call(slow, gas);
  Gas viscous(judge, nx, ny);
  viscous.set(viscous.viscosity, [&](int, int) { return judge.number(1e-150, 2e-150); });
  call(slow, viscous);
  call(slow, Gas(judge, nx, ny));
  judge.run();
}

TEST_CASE("more cells than threads; one after the other; and who does the work") {
  course::Judge judge;
  const int nx = judge.number(90, 110), ny = judge.number(60, 70);
  Question large = ask(judge, nx, ny, ", one multiprocessor");
  call(large, any(judge, nx, ny));
  large.environment("COURSE_CPU_PROCESSORS", "1");
  Question several = ask(judge, nx, ny, ": a short step, a longer one, a short one");
  for (double speed : {50.0, 2.0, 70.0}) {
    Gas gas(judge, nx, ny);
    gas.set(gas.sound_speed, [&](int, int) { return judge.number(0.5 * speed, speed); });
    call(several, gas);
  }
  Gas again = any(judge, nx, ny); // then one argument is another, then one cell, or node
  again.dx = again.dy = 10;
  call(several, again);
  again.dx = 0.1;
  call(several, again);
  again.sound_speed[again.cell(nx / 2, ny / 2)] = 100;
  call(several, again);
  again.yvel[again.node(nx / 2, ny / 2)] = -1e6;
  call(several, again);
  const Question higher = ask(judge, 5, 6, ", then more rows, of which the last one decides");
  for (const int rows : {6, judge.number(150, 200)}) {
    Gas gas(judge, 5, rows);
    gas.sound_speed[gas.cell(judge.number(2, 6), rows + 1)] = judge.number(1.0, 2.0);
    call(higher, gas);
  }
  Question idle = ask(judge, 63, 31, ", and the kernel does nothing");
  call(idle, any(judge, 63, 31));
  idle.without_kernels();
  Question refused = ask(judge, 40, 30, ", and the launch fails");
  call(refused, any(judge, 40, 30));
  refused.launches_fail().fails("invalid");
  judge.run();
}

TEST_CASE("as many rows, and columns, as a field may have", "[large]") {
  course::Judge judge;
  for (auto [nx, ny] : course::long_sides(judge)) {
    Gas gas(judge, nx, ny);
    if (nx > ny)
      for (int col = 2; col < nx + 3; ++col)
        gas.yvel[gas.node(col, ny + 2)] = 2;
    else
      gas.sound_speed[gas.cell(nx + 1, ny + 1)] = judge.number(1.0, 2.0);
    call(ask(judge, nx, ny, nx > ny ? ": the upper nodes of the last row" : ": the last cell"),
         gas);
  }
  const int side = judge.number(1030, 1060); // more than 1024 blocks of 1024
  Gas gas(judge, side, side);
  gas.sound_speed[gas.cell(side + 1, side + 1)] = judge.number(1.0, 2.0);
  call(ask(judge, side, side, ": the last cell"), gas);
  judge.run();
}
