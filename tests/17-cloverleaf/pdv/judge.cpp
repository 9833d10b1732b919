// Judges exercise 17-cloverleaf/pdv: exactly the inner cells and one layer around them; cells that
// are not square, gas that is compressed, expands, is sheared, moves as a whole, or is at rest.
// Values that no computed cell needs are NaN.
#include "exercises/17-cloverleaf/pdv.hpp"
#include "tests/17-cloverleaf/fields.hpp"

#include <catch2/catch_test_macros.hpp>

#include <limits>
#include <utility>

namespace {

using course::Values;
using Question = course::Question<decltype(pdv)>;

struct Gas {
  int nx, ny;
  double dx, dy, time;
  Values density0, energy0, pressure, viscosity, xvel, yvel;

  Gas(course::Judge &judge, int its_nx, int its_ny)
      : nx(its_nx), ny(its_ny), dx(judge.number(0.1, 1.0)), dy(judge.number(2.0, 10.0)),
        time(judge.number(0.1, 10.0)) {
    const auto of_cells = [&](double low, double high) {
      return course::framed(judge, course::cells(nx, ny), nx + 4, 1, 1, low, high);
    };
    density0 = of_cells(0.1, 10);
    energy0 = of_cells(0.1, 10);
    pressure = of_cells(0, 10);
    viscosity = of_cells(0, 10);
    const auto of_nodes = [&](double fastest) {
      return course::framed(judge, course::nodes(nx, ny), nx + 5, 1, 1, -fastest, fastest);
    };
    xvel = of_nodes(0.2 * dx / time); // a cell keeps at least a fifth of its volume
    yvel = of_nodes(0.2 * dy / time);
  }

  bool computed(int i) const {
    const int col = i % (nx + 4), row = i / (nx + 4);
    return col >= 1 && col <= nx + 2 && row >= 1 && row <= ny + 2;
  }
};

// By which share of itself each cell grows. Each node adds to its four cells: where it moves, it
// takes half of a side of each along.
std::vector<long double> growth(const Gas &gas) {
  std::vector<long double> grows(gas.density0.size());
  for (int i = 0; i < int(gas.xvel.size()); ++i)
    for (int left : {0, 1})
      for (int below : {0, 1}) {
        const int col = i % (gas.nx + 5) - left, row = i / (gas.nx + 5) - below;
        if (col < 0 || col >= gas.nx + 4 || row < 0 || row >= gas.ny + 4)
          continue;
        grows[std::size_t(row) * (gas.nx + 4) + col] +=
            gas.time * ((left ? 0.5L : -0.5L) * gas.xvel[i] / gas.dx +
                        (below ? 0.5L : -0.5L) * gas.yvel[i] / gas.dy);
      }
  return grows;
}

void call(course::Judge &judge, Question question, const Gas &gas) {
  const std::size_t cells = gas.density0.size();
  // The cells to compute hold a signalling NaN before, which differs from a computed NaN. The outer
  // layer has arbitrary values.
  Values density_before = judge.numbers<double>(cells, 1, 2);
  Values energy_before = judge.numbers<double>(cells, 1, 2);
  for (std::size_t i = 0; i < cells; ++i)
    if (gas.computed(int(i)))
      density_before[i] = energy_before[i] = std::numeric_limits<double>::signaling_NaN();

  const auto computed = [&](const Values &before, auto value) {
    Values values = before;
    for (std::size_t i = 0; i < cells; ++i)
      if (gas.computed(int(i)))
        values[i] = double(value(i));
    return values;
  };
  const auto density = [&](const std::vector<long double> &grows) {
    return computed(density_before,
                    [&](std::size_t i) { return gas.density0[i] / (1 + grows[i]); });
  };
  const std::vector<long double> grows = growth(gas);
  const Values density1 = density(grows);
  const auto energy = [&](const Values &viscosity, const Values &in_mass) {
    return computed(energy_before, [&](std::size_t i) {
      return gas.energy0[i] - (gas.pressure[i] + (long double)viscosity[i]) * grows[i] / in_mass[i];
    });
  };
  const Values energy1 = energy(gas.viscosity, gas.density0);

  Gas exchanged = gas;
  std::swap(exchanged.dx, exchanged.dy);
  const auto times = [&](long double factor) {
    std::vector<long double> other = grows;
    for (long double &its : other)
      its *= factor;
    return density(other);
  };
  const int width = gas.nx + 4;
  question.with(
      gas.nx, gas.ny, gas.dx, gas.dy, gas.time, gas.density0, gas.energy0, gas.pressure,
      gas.viscosity, gas.xvel, gas.yvel,
      course::in_out(density_before, density1, course::rounding(density1))
          .shape(width)
          .often(times(2), "a side moves with the sum of its nodes' velocities, not their mean")
          .often(times(1 / (long double)gas.time), "`time` is left out of the change of volume")
          .often(density(growth(exchanged)), "dx and dy are exchanged: the left and right sides "
                                             "are dy long")
          .often(times(-1), "the change of volume has the wrong sign"),
      course::in_out(energy_before, energy1, course::rounding(energy1))
          .shape(width)
          .often(energy(Values(cells, 0.0), gas.density0), "the viscosity is left out")
          .often(energy(gas.viscosity, density1), "the density after the step, density1, stands "
                                                  "where density0 is meant"));
}

Question ask(course::Judge &judge, int nx, int ny, const std::string &also = "") {
  return judge.ask<decltype(pdv)>(course::size_of(nx, ny) + also);
}

} // namespace

TEST_CASE("the cells and one layer of the halo") {
  course::Judge judge;
  for (auto [nx, ny] : course::field_sizes(judge, 2, 2))
    call(judge, ask(judge, nx, ny), Gas(judge, nx, ny));
  judge.run();
}

TEST_CASE(
    "one after the other: at rest, as a whole, one direction only, no viscosity, no pressure") {
  course::Judge judge;
  const int nx = judge.number(3, 40), ny = judge.number(3, 20);
  const Question several = ask(judge, nx, ny, ": at rest, all nodes alike, one direction only");
  const auto also = [&](auto change) {
    Gas gas(judge, nx, ny);
    change(gas);
    call(judge, several, gas);
  };
  const std::size_t nodes = course::nodes(nx, ny);
  also([&](Gas &gas) { gas.xvel = gas.yvel = Values(nodes, 0.0); });
  also([&](Gas &gas) { // no cell changes its volume: powers of 2, so that nothing rounds
    gas.xvel = Values(nodes, -0.25), gas.yvel = Values(nodes, 0.5);
    gas.dx = 0.5, gas.dy = 2, gas.time = 0.25;
  });
  also([&](Gas &gas) { gas.xvel = Values(nodes, 0.0); });
  also([&](Gas &gas) { gas.yvel = Values(nodes, 0.0); });
  also([&](Gas &gas) { // every other column of cells has almost no volume left
    for (std::size_t i = 0; i < nodes; ++i) {
      gas.xvel[i] = (i % (nx + 5) % 2 ? -0.4895 : 0.4895) * gas.dx / gas.time;
      gas.yvel[i] = 0;
    }
  });
  also([&](Gas &gas) { gas.viscosity = Values(gas.viscosity.size(), 0.0); });
  also([&](Gas &gas) { gas.pressure = Values(gas.pressure.size(), 0.0); });
  judge.run();
}

TEST_CASE("other sizes one after the other; and who does the work") {
  course::Judge judge;
  const int nx = judge.number(33, 50), ny = judge.number(9, 20);
  const Question several = ask(judge, nx, ny, ", then more, then as before");
  call(judge, several, Gas(judge, nx, ny));
  call(judge, several, Gas(judge, nx + 30, ny + 9));
  Gas again(judge, nx, ny);
  call(judge, several, again);
  again.time *= 0.9; // nothing else
  call(judge, several, again);
  again.pressure[ny / 2 * (nx + 4) + nx / 2] += 0.1;
  call(judge, several, again);
  again.xvel[ny / 2 * (nx + 5) + nx / 2] = 0;
  call(judge, several, again);
  Question idle = ask(judge, 95, 31, ", and the kernel does nothing");
  call(judge, idle, Gas(judge, 95, 31));
  idle.without_kernels();
  Question refused = ask(judge, nx, ny, ", and the launch fails");
  call(judge, refused, Gas(judge, nx, ny));
  refused.launches_fail().fails("invalid");
  judge.run();
}

TEST_CASE("as many rows, and columns, as a field may have, and cells", "[large]") {
  course::Judge judge;
  const int side = judge.number(1030, 1040);
  call(judge, ask(judge, side, side), Gas(judge, side, side));
  for (auto [nx, ny] : course::long_sides(judge))
    call(judge, ask(judge, nx, ny), Gas(judge, nx, ny));
  judge.run();
}
