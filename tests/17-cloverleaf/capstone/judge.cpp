// Judges exercise 17-cloverleaf/capstone: a few steps of a small gas, whose density, energy and
// velocities are random, in one part and in several; the fields and the kinetic energy. So the
// order of x and y matters, and a ghost layer that is out of date changes the result. A usual
// mistake is recognised by its own result after the same steps.
#include "common/grader/judge/judge.hpp"
#include "exercises/17-cloverleaf/capstone.hpp"
#include "tests/17-cloverleaf/gas.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace {

using Question = course::Question<decltype(capstone)>;

// Cells for each rank of a row or of a column: the first of each, and the end.
std::vector<int> parts(course::Judge &judge, int ranks, int least, int most) {
  std::vector<int> first{0};
  for (int i = 0; i < ranks; ++i)
    first.push_back(first.back() + judge.number(least, most));
  return first;
}

enum class Ghosts { up_to_date, random, nan };

// A NaN that was computed is told from it.
constexpr double signaling_nan = std::numeric_limits<double>::signaling_NaN();

// A rank's array of a field.
std::vector<double> part_of(course::Judge &judge, const course::Mirrored &field, int first_x,
                            int first_y, int columns, int rows, Ghosts ghosts) {
  std::vector<double> part;
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) {
      const bool own = i >= 2 && i < columns - 2 && j >= 2 && j < rows - 2;
      part.push_back(own || ghosts == Ghosts::up_to_date ? field(first_x + i - 2, first_y + j - 2)
                     : ghosts == Ghosts::nan             ? signaling_nan
                                                         : judge.number(0.5, 2.0));
    }
  return part;
}

// The time step is at most `share` of what the cells allow at first. What limits it is the speed of
// sound, or, where the gas is cold and fast, its speed in x or in y. Of several ranks the first one
// has gas that is colder and slower than the others', and would take longer steps; the last one has
// the hottest gas, and decides for ranks that are not its neighbours.
void ask_also(course::Judge &judge, Question &question, const std::vector<int> &x,
              const std::vector<int> &y, int steps, double share, bool fast) {
  const int ranks_x = int(x.size()) - 1, ranks_y = int(y.size()) - 1;
  const double dx = judge.number(0.5, 1.0), dy = judge.number(0.5, 1.0);
  course::Gas gas(x.back(), y.back(), dx, dy);
  const double in_x = judge.number(0, 1) == 1 ? 1 : 0.3, in_y = 1.3 - in_x;
  const auto speed = [&](int i, int cells) -> double { // of nodes; walls stop it
    if (i == 0 || i == cells)
      return 0;
    return fast ? std::sin(3.14 * i / cells) * judge.number(0.95, 1.05) : judge.number(-0.6, 0.6);
  };
  for (int j = 0; j <= gas.ny; ++j)
    for (int i = 0; i <= gas.nx; ++i) {
      const double calm = ranks_x * ranks_y > 1 && i < x[1] && j < y[1] ? 0.25 : 1;
      const bool last = ranks_x * ranks_y > 1 && i >= x[ranks_x - 1] && j >= y[ranks_y - 1];
      if (i < gas.nx && j < gas.ny) {
        gas.density.at(i, j) = judge.number(0.5, 2.0);
        gas.energy.at(i, j) = judge.number(1.0, 3.0) * (fast ? 0.01 : last ? 4 : calm);
      }
      gas.xvel.at(i, j) = in_x * calm * speed(i, gas.nx);
      gas.yvel.at(i, j) = in_y * calm * speed(j, gas.ny);
    }
  const double max_timestep = share * course::Gas(gas).step(1, true);
  const auto after_steps = [&](course::StepMistake mistake) {
    course::Gas after = gas;
    after.mistake = mistake;
    for (int step = 0; step < steps; ++step)
      after.step(max_timestep, step % 2 == 0);
    return after;
  };
  const course::Gas after = after_steps(course::RIGHT);
  std::vector<std::pair<course::Gas, const char *>> mistakes;
  for (const auto &[mistake, meaning] : course::step_mistakes)
    mistakes.emplace_back(after_steps(mistake), meaning);

  for (int rank = 0; rank < ranks_x * ranks_y; ++rank) {
    const int column = rank % ranks_x, row = rank / ranks_x;
    const int nx = x[column + 1] - x[column], ny = y[row + 1] - y[row];
    const auto array = [&](course::Mirrored course::Gas::*field, int more) {
      const int columns = nx + 4 + more, rows = ny + 4 + more;
      const auto part = [&](const course::Gas &its_gas, Ghosts ghosts) {
        return part_of(judge, its_gas.*field, x[column], y[row], columns, rows, ghosts);
      };
      auto both = course::in_out(part(gas, steps == 1 ? Ghosts::nan : Ghosts::random),
                                 part(after, Ghosts::up_to_date), 1e-11)
                      .shape(columns);
      for (const auto &[other, meaning] : mistakes)
        std::move(both).often(part(other, Ghosts::up_to_date), meaning);
      return both;
    };
    question.with(nx, ny, ranks_x, dx, dy, max_timestep, steps, array(&course::Gas::density, 0),
                  array(&course::Gas::energy, 0), array(&course::Gas::xvel, 1),
                  array(&course::Gas::yvel, 1));
  }
  std::vector<std::pair<double, std::string>> energies;
  for (const auto &[other, meaning] : mistakes)
    energies.emplace_back(other.kinetic_energy(), meaning);
  const double kinetic = after.kinetic_energy();
  question.returns(kinetic, 1e-11 * kinetic, energies);
}

void ask_also(course::Judge &judge, Question &question, int ranks_x, int ranks_y, int steps,
              double share, bool fast) {
  const int least = fast ? 12 : 2, most = fast ? 30 : 10;
  const std::vector<int> x = parts(judge, ranks_x, least, most);
  ask_also(judge, question, x, parts(judge, ranks_y, least, most), steps, share, fast);
}

Question ask(course::Judge &judge, int ranks_x, int ranks_y, int steps, const std::string &also) {
  return judge
      .ask<decltype(capstone)>(std::to_string(steps) + (steps == 1 ? " step, " : " steps, ") +
                               std::to_string(ranks_y) + " x " + std::to_string(ranks_x) +
                               " ranks" + also)
      .ranks(ranks_x * ranks_y);
}

} // namespace

TEST_CASE("a few steps") {
  course::Judge judge;
  Question one = ask(judge, 1, 1, 1, ", all ghosts are NaN before");
  ask_also(judge, one, 1, 1, 1, 0.9, false);
  Question alone = ask(judge, 1, 1, 3, "; then max_timestep decides in all of them");
  ask_also(judge, alone, 1, 1, 3, 2, true);
  ask_also(judge, alone, 1, 1, 3, 0.5, false);
  const int ranks = 4; // all but the last would take too long a step by themselves
  const bool in_x = judge.number(0, 1) == 1;
  const int ranks_x = in_x ? ranks : 1, ranks_y = in_x ? 1 : ranks;
  Question together = ask(judge, ranks_x, ranks_y, 2, "");
  ask_also(judge, together, ranks_x, ranks_y, 2, 2, false);
  Question twice = ask(judge, 2, 2, 1, ", two calls; one rank allows more than max_timestep");
  for (int call = 0; call < 2; ++call)
    ask_also(judge, twice, 2, 2, 1, 1.2, false);
  judge.run();
}

TEST_CASE("kernels that do nothing") {
  course::Judge judge;
  Question question = ask(judge, 1, 1, 1, ", kernels do nothing");
  ask_also(judge, question, {0, 63}, {0, 31}, 1, 0.9, false);
  question.without_kernels();
  judge.run();
}

TEST_CASE("many steps, and as many cells as a part may have", "[large]") {
  course::Judge judge;
  Question many = ask(judge, 1, 1, 75, "");
  ask_also(judge, many, 1, 1, 75, 0.5, false);
  Question cells = ask(judge, 1, 1, 1, ", long sides, and many cells");
  for (const auto &[nx, ny] : {std::pair{judge.number(990, 1000), 2},
                               {2, judge.number(990, 1000)},
                               {judge.number(99, 100), 100}})
    ask_also(judge, cells, {0, nx}, {0, ny}, 1, 0.9, false);
  judge.run();
}
