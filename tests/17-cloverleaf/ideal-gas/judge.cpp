// Judges exercise 17-cloverleaf/ideal-gas: all cells, ghost cells too; thin and dense, cold and hot
// gas.
#include "exercises/17-cloverleaf/ideal-gas.hpp"
#include "tests/17-cloverleaf/fields.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using course::Values;
using Question = course::Question<decltype(ideal_gas)>;

void call(Question question, int nx, int ny, const Values &density, const Values &energy) {
  Values pressure, sound_speed;
  for (std::size_t i = 0; i < density.size(); ++i) {
    pressure.push_back(0.4L * density[i] * energy[i]);
    sound_speed.push_back(std::sqrt(0.56L * energy[i])); // the density cancels
  }
  const int width = nx + 4;
  question.with(nx, ny, density, energy,
                course::output(pressure, course::rounding(pressure)).shape(width),
                course::output(sound_speed, course::rounding(sound_speed)).shape(width));
}

// Energies and densities of one magnitude each.
void call(course::Judge &judge, Question question, int nx, int ny, double density = 1,
          double energy = 1) {
  const std::size_t cells = course::cells(nx, ny);
  call(question, nx, ny, judge.numbers(cells, 0.5 * density, 4 * density),
       judge.numbers(cells, 0.5 * energy, 4 * energy));
}

Question ask(course::Judge &judge, int nx, int ny, const std::string &also = "") {
  return judge.ask<decltype(ideal_gas)>(course::size_of(nx, ny) + also);
}

} // namespace

TEST_CASE("pressure and sound speed") {
  course::Judge judge;
  for (auto [nx, ny] : course::field_sizes(judge, 4, 4))
    call(judge, ask(judge, nx, ny), nx, ny);
  judge.run();
}

TEST_CASE("thin and dense, cold and hot") {
  course::Judge judge;
  const int nx = judge.number(5, 40), ny = judge.number(5, 20);
  const Question extreme = ask(judge, nx, ny, ", thin and hot, dense and cold, without any energy");
  call(judge, extreme, nx, ny, 1e-8, 1e10);
  call(judge, extreme, nx, ny, 1e8, 1e-10);
  const std::size_t cells = course::cells(nx, ny);
  call(extreme, nx, ny, judge.numbers(cells, 1.0, 2.0), Values(cells, 0.0));
  judge.run();
}

TEST_CASE("one field after the other; and who does the work") {
  course::Judge judge;
  const int nx = judge.number(33, 60), ny = judge.number(9, 20);
  const Question several = ask(judge, nx, ny, ", then more, then as before");
  call(judge, several, nx, ny);
  call(judge, several, nx + 30, ny + 9);
  call(judge, several, nx, ny);
  Question idle = ask(judge, nx, ny, ", and the kernel does nothing");
  call(judge, idle, nx, ny);
  idle.without_kernels();
  Question refused = ask(judge, nx, ny, ", and the launch fails");
  call(judge, refused, nx, ny);
  refused.launches_fail().fails("invalid");
  judge.run();
}

TEST_CASE("as many rows, and columns, as a field may have", "[large]") {
  course::Judge judge;
  for (auto [nx, ny] : course::long_sides(judge))
    call(judge, ask(judge, nx, ny), nx, ny);
  judge.run();
}
