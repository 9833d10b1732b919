// Judges exercise 17-cloverleaf/advection-sweep: volumes that go to the right, to the left, to any
// side and nowhere; fields that rise, fall, jump, or are even. Rows outside of the inner ones, and
// faces that no inner cell has, are NaN.
#include "exercises/17-cloverleaf/advection-sweep.hpp"
#include "tests/17-cloverleaf/fields.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <utility>

namespace {

using course::Values;
using Question = course::Question<decltype(advection_sweep)>;

enum Way { RIGHT, FIRST_ORDER, SIDES_OF_RIGHTWARD, SHARE_OF_MASS, VOLUME_BEFORE };
const std::pair<Way, const char *> mistakes[] = {
    {FIRST_ORDER, "the slope is 0 everywhere: in TODO 1, or since two of its cells are the same"},
    {SIDES_OF_RIGHTWARD, "where the volume goes to the left, upwind and downwind are exchanged"},
    {SHARE_OF_MASS,
     "the slope of the energy is taken with m: m stands beside the slope, and s in it"},
    {VOLUME_BEFORE, "the new mass is divided by the volume before the sweep"}};

struct Gas {
  int nx, ny;
  Values volume, volume_flux, density, energy, mass_flux;

  // Volumes about 1; a face takes at most 0.15 of the smallest cell.
  Gas(course::Judge &judge, int its_nx, int its_ny, double flux_low = -0.12,
      double flux_high = 0.12)
      : nx(its_nx), ny(its_ny),
        volume(course::framed(judge, course::cells(nx, ny), nx + 4, 0, 2, 0.8, 1.25)),
        volume_flux(
            course::framed(judge, course::faces(nx, ny), nx + 5, 2, 2, flux_low, flux_high)),
        density(course::framed(judge, course::cells(nx, ny), nx + 4, 0, 2, 0.5, 2)),
        energy(course::framed(judge, course::cells(nx, ny), nx + 4, 0, 2, 1, 3)),
        mass_flux(judge.numbers<double>(course::faces(nx, ny), 5, 6)) {}

  // Sets a field's value in all cells of the inner rows.
  template <class Value> void set(Values &field, Value value) const {
    for (int row = 2; row < ny + 2; ++row)
      for (int col = 0; col < nx + 4; ++col)
        field[std::size_t(row) * (nx + 4) + col] = value(col);
  }

  // One sweep. A face moves what goes through it from one of its cells to the other.
  void sweep(Way way = RIGHT) {
    for (int row = 2; row < ny + 2; ++row) {
      const std::size_t first = std::size_t(row) * (nx + 4), face = std::size_t(row) * (nx + 5);
      std::vector<long double> its_volume, mass, content; // content: energy times mass
      for (int col = 0; col < nx + 4; ++col) {
        its_volume.push_back(volume[first + col]);
        mass.push_back(its_volume[col] * density[first + col]);
        content.push_back(mass[col] * energy[first + col]);
      }
      const std::vector<long double> mass_before = mass, volume_before = its_volume;
      for (int col = 2; col < nx + 3; ++col) {
        const long double flux = volume_flux[face + col];
        // The cell that is so many cells upwind of the donor.
        const auto cell = [&](int upwind) { return flux > 0 ? col - 1 - upwind : col + upwind; };
        const long double s = std::abs(flux) / volume_before[cell(0)];
        const auto at_face = [&](const Values &field, long double gone) {
          const int upwind = way == SIDES_OF_RIGHTWARD && flux <= 0 ? -1 : 1;
          const long double a = (long double)field[first + cell(0)] - field[first + cell(upwind)];
          const long double b = (long double)field[first + cell(-upwind)] - field[first + cell(0)];
          const long double ratio = b == 0 ? 0 : a / b, share = way == SHARE_OF_MASS ? gone : s;
          const long double limiter =
              way == FIRST_ORDER
                  ? 0
                  : std::max(0.0L, std::min({ratio, 1.0L, ((1 + share) * ratio + 2 - share) / 6}));
          return field[first + cell(0)] + (1 - gone) * limiter * b;
        };
        const long double through = flux * at_face(density, s);
        const long double gone = std::abs(through) / mass_before[cell(0)];
        const long double energy_through = through * at_face(energy, gone);
        mass_flux[face + col] = double(through);
        const auto move = [&](std::vector<long double> &of, long double amount) {
          of[col - 1] -= amount;
          of[col] += amount;
        };
        move(its_volume, flux);
        move(mass, through);
        move(content, energy_through);
      }
      for (int col = 2; col < nx + 2; ++col) {
        density[first + col] =
            double(mass[col] / (way == VOLUME_BEFORE ? volume_before : its_volume)[col]);
        energy[first + col] = double(content[col] / mass[col]);
      }
    }
  }
};

void call(Question question, const Gas &before) {
  const auto swept = [&](Way way) {
    Gas gas = before;
    gas.sweep(way);
    return gas;
  };
  const Gas after = swept(RIGHT);
  const auto in_out = [&](Values Gas::*field, int width) {
    auto array = course::in_out(before.*field, after.*field, course::rounding(after.*field));
    for (const auto &[way, meaning] : mistakes)
      std::move(array).often(swept(way).*field, meaning);
    return std::move(array).shape(width);
  };
  question.with(before.nx, before.ny, before.volume, before.volume_flux,
                in_out(&Gas::density, before.nx + 4), in_out(&Gas::energy, before.nx + 4),
                in_out(&Gas::mass_flux, before.nx + 5));
}

Question ask(course::Judge &judge, int nx, int ny, const std::string &also = "") {
  return judge.ask<decltype(advection_sweep)>(course::size_of(nx, ny) + also);
}

} // namespace

TEST_CASE("one sweep") {
  course::Judge judge;
  for (auto [nx, ny] : course::field_sizes(judge, 1, 0)) // a face more than cells
    call(ask(judge, nx, ny), Gas(judge, nx, ny));
  judge.run();
}

TEST_CASE("all to one side, or nothing moves") {
  course::Judge judge;
  const int nx = judge.number(3, 40), ny = judge.number(3, 20);
  call(ask(judge, nx, ny, ": all to the right"), Gas(judge, nx, ny, 0.05, 0.12));
  call(ask(judge, nx, ny, ": all to the left"), Gas(judge, nx, ny, -0.12, -0.05));
  call(ask(judge, nx, ny, ": nothing moves"), Gas(judge, nx, ny, 0, 0));
  const Question most = ask(judge, nx, ny, ": more than nine tenths of each cell move");
  for (double sign : {1.0, -1.0}) {
    Gas gas(judge, nx, ny, std::min(0.93 * sign, 0.97 * sign), std::max(0.93 * sign, 0.97 * sign));
    gas.set(gas.volume, [&](int) { return judge.number(1.0, 1.02); });
    call(most, gas);
  }
  judge.run();
}

TEST_CASE("slopes") {
  course::Judge judge;
  const int nx = judge.number(20, 40), ny = judge.number(3, 20);

  const Question even = ask(judge, nx, ny, ": everything even, the density only, the energy only");
  for (int which : {3, 1, 2}) {
    Gas gas(judge, nx, ny);
    if (which & 1)
      gas.set(gas.density, [](int) { return 1.25; });
    if (which & 2)
      gas.set(gas.energy, [](int) { return 2.5; });
    call(even, gas);
  }

  const Question monotonic = ask(judge, nx, ny, ": rising, then falling, by uneven steps");
  for (double sign : {1.0, -1.0}) {
    Gas gas(judge, nx, ny);
    for (Values *field : {&gas.density, &gas.energy}) {
      double last = 0;
      gas.set(*field, [&](int col) {
        last = (col == 0 ? 30 - 25 * sign : last) + sign * judge.number(0.01, 1.0);
        return last;
      });
    }
    call(monotonic, gas);
  }

  const Question cold = ask(judge, nx, ny, ": thin and cold");
  for (double least : {1e-8, 1e-20}) {
    Gas thin(judge, nx, ny);
    for (Values *field : {&thin.density, &thin.energy})
      thin.set(*field, [&](int) { return judge.number(least, 2 * least); });
    call(cold, thin);
  }

  const Question jumps = ask(judge, nx, ny, ": plateaus with jumps, each in other places");
  Gas gas(judge, nx, ny);
  for (Values *field : {&gas.density, &gas.energy})
    gas.set(*field, [&](int) { return double(judge.number(1, 3)); });
  call(jumps, gas);
  judge.run();
}

TEST_CASE("one after the other; and who does the work") {
  course::Judge judge;
  const int nx = judge.number(33, 50), ny = judge.number(9, 20);
  const Question several = ask(judge, nx, ny, ", then more, then as before");
  call(several, Gas(judge, nx, ny));
  call(several, Gas(judge, nx + 30, ny + 9));
  call(several, Gas(judge, nx, ny));
  Question idle = ask(judge, nx, ny, ", and the kernels do nothing");
  call(idle, Gas(judge, nx, ny));
  idle.without_kernels();
  Question refused = ask(judge, nx, ny, ", and the launch fails");
  call(refused, Gas(judge, nx, ny));
  refused.launches_fail().fails("invalid");
  judge.run();
}

TEST_CASE("as many rows, and columns, as a field may have", "[large]") {
  course::Judge judge;
  for (auto [nx, ny] : course::long_sides(judge))
    call(ask(judge, nx, ny), Gas(judge, nx, ny));
  judge.run();
}
