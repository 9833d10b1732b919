// Judges exercise 17-cloverleaf/lopsided: gas and wind of every direction, wind from one side only,
// and velocities in which the slope matters at every node.
#include "common/grader/judge.hpp"
#include "exercises/17-cloverleaf/lopsided.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace {

using List = std::vector<double>;
using Question = course::Question<decltype(lopsided)>;

enum class Left { none, neighbours, mass }; // one of the two faults, when the other is mended

// The velocities after the sweep, one row of nodes after the other.
List swept(int nx, int ny, const List &density, const List &volume, const List &mass_flux,
           List velocity, Left fault = Left::none) {
  for (int row = 2; row <= ny + 2; ++row) {
    const auto quarters = [&](const List &list, int columns, int col) { // of two columns
      const double *upper = &list[std::size_t(row) * columns + col], *lower = upper - columns;
      return (lower[0] + lower[1] + upper[0] + upper[1]) / 4;
    };
    List mass(density.size());
    std::transform(density.begin(), density.end(), volume.begin(), mass.begin(),
                   std::multiplies<>());
    List flux(nx + 4), after(nx + 4), before(nx + 4), gone(nx + 3); // by the node on the left
    for (int i = 0; i < nx + 4; ++i)
      flux[i] = quarters(mass_flux, nx + 5, i);
    for (int i = 1; i < nx + 4; ++i) {
      after[i] = quarters(mass, nx + 4, i - 1);
      before[i] = after[i] + flux[i] - flux[i - 1];
    }
    double *v = &velocity[std::size_t(row) * (nx + 5)];
    for (int i = 1; i < nx + 3; ++i) {
      const int way = flux[i] < 0 ? -1 : 1, donor = way > 0 ? i : i + 1;
      const int on = fault == Left::neighbours ? 1 : way;
      const double behind = v[donor] - v[donor - on], ahead = v[donor + on] - v[donor];
      const double share = std::abs(flux[i]) / before[fault == Left::mass ? i : donor];
      double slope = 0;
      if ((behind > 0 && ahead > 0) || (behind < 0 && ahead < 0)) {
        const double p = std::abs(behind), q = std::abs(ahead);
        slope = std::min({p, q, ((1 + share) * p + (2 - share) * q) / 6}) * (ahead > 0 ? 1 : -1);
      }
      gone[i] = flux[i] * (v[donor] + (1 - share) * slope);
    }
    for (int i = 2; i < nx + 3; ++i)
      v[i] = (v[i] * before[i] + gone[i - 1] - gone[i]) / after[i];
  }
  return velocity;
}

// What there is of everything: of the gas and so of its flux, and of the velocities.
struct Scale {
  double gas = 1, velocity = 1;
};

// Wind between these fluxes through each face, in gas between 0.5 and that density, or, where that
// is 1, of about this density.
void ask_also(course::Judge &judge, Question &question, int nx, int ny, double least, double most,
              bool slopes, double densest = 2, Scale scale = {}) {
  const std::size_t cells = std::size_t(nx + 4) * (ny + 4), faces = std::size_t(nx + 5) * (ny + 4);
  const bool even = densest == 1;
  List density = judge.numbers<double>(cells, even ? 1.0 : 0.5, even ? 1.02 : densest);
  const List volume = judge.numbers<double>(cells, even ? 1.0 : 0.8,
                                            even          ? 1.02
                                            : densest > 1 ? 1.2
                                                          : 0.9);
  List mass_flux = judge.numbers<double>(faces, least, most);
  List velocity = judge.numbers<double>(std::size_t(nx + 5) * (ny + 5));
  for (const auto &[list, factor] :
       {std::pair{&density, scale.gas}, {&mass_flux, scale.gas}, {&velocity, scale.velocity}})
    for (double &number : *list)
      number *= factor;
  if (slopes) // rows of rising and of falling velocities
    for (int row = 0; row < ny + 5; ++row) {
      const auto first = velocity.begin() + std::size_t(row) * (nx + 5);
      std::sort(first, first + nx + 5);
      if (judge.number(0, 1) == 1)
        std::reverse(first, first + nx + 5);
    }
  const auto with = [&](Left fault) {
    return swept(nx, ny, density, volume, mass_flux, velocity, fault);
  };
  question.with(nx, ny, density, volume, mass_flux,
                course::in_out(velocity, with(Left::none), 1e-12 * scale.velocity)
                    .shape(nx + 5)
                    .often(with(Left::neighbours),
                           "one fault is mended, the other is in the neighbours: which node is "
                           "upwind when the wind comes from the right, and which downwind")
                    .often(with(Left::mass), "one fault is mended, the other is in the share: "
                                             "whose mass it divides by"));
}

} // namespace

TEST_CASE("velocities after a sweep") {
  course::Judge judge;
  const std::vector<int> columns = judge.sizes(200), rows = judge.sizes(90);
  std::vector<std::pair<int, int>> sizes;
  for (std::size_t i = 0; i < columns.size(); ++i)
    sizes.emplace_back(columns[i], rows[(i + 3) % rows.size()]);
  // Longer than a block can be, and one more than whole blocks of any length.
  const int many = 1024 * judge.number(1, 2) + 1;
  sizes.emplace_back(many - 2, judge.number(2, 3));
  sizes.emplace_back(judge.number(2, 3), many - 1);
  for (const auto &[nx, ny] : sizes) {
    auto question = judge.ask<decltype(lopsided)>(std::to_string(ny) + " rows of " +
                                                  std::to_string(nx) + " cells");
    ask_also(judge, question, nx, ny, -0.1, 0.1, false);
    ask_also(judge, question, nx, ny, -0.1, 0.1, true);
    ask_also(judge, question, nx, ny, -0.1, 0, true);
    ask_also(judge, question, nx, ny, 0, 0.1, true);
  }
  judge.run();
}

TEST_CASE("nodes that give away most of their mass") {
  course::Judge judge;
  const int nx = judge.number(20, 40), ny = judge.number(20, 40);
  auto question = judge.ask<decltype(lopsided)>("strong wind in thin gas");
  ask_also(judge, question, nx, ny, 0.3, 0.38, true, 0.6);
  ask_also(judge, question, nx, ny, -0.38, -0.3, true, 0.6);
  auto nearly_all = judge.ask<decltype(lopsided)>("nodes give away more than nine tenths");
  ask_also(judge, nearly_all, nx, ny, 0.945, 0.955, true, 1);
  ask_also(judge, nearly_all, nx, ny, -0.955, -0.945, true, 1);
  judge.run();
}

TEST_CASE("little gas, and low velocities") {
  course::Judge judge;
  const int nx = judge.number(20, 40), ny = judge.number(20, 40);
  auto question = judge.ask<decltype(lopsided)>("thin gas, then hardly any wind");
  ask_also(judge, question, nx, ny, -0.1, 0.1, true, 2, {1e-20, 1});
  ask_also(judge, question, nx, ny, -0.1, 0.1, true, 2, {1, 1e-20});
  judge.run();
}

TEST_CASE("where nothing flows") {
  course::Judge judge;
  auto question = judge.ask<decltype(lopsided)>("no wind");
  ask_also(judge, question, judge.number(20, 40), judge.number(20, 40), 0, 0, true);
  judge.run();
}

TEST_CASE("kernels that do nothing") {
  course::Judge judge;
  auto question = judge.ask<decltype(lopsided)>("kernels do nothing");
  ask_also(judge, question, judge.number(20, 40), judge.number(20, 40), 0.01, 0.1, true);
  question.without_kernels();
  judge.run();
}
