// The ranks together compute the same bits as one rank alone, by the plain and by the fused stages.
// The values agree with an independent reference: no energy is published for a mesh that is small
// enough for a test, and not symmetric.
//
// Run: mpirun -n 4 ./same-bits DECK
#include "common/mpi.hpp"
#include "common/verify.hpp"
#include "lessons/17-cloverleaf/fused.hpp"
#include "lessons/17-cloverleaf/run.hpp"
#include "tests/17-cloverleaf/gas.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

// The last state that a cell belongs to. Outside the mesh there is the background.
int state_at(const Deck &deck, int col, int row) {
  if (col < 0 || col >= deck.x_cells || row < 0 || row >= deck.y_cells)
    return 0;
  const double x = deck.xmin + (col + 0.5) * deck.dx(), y = deck.ymin + (row + 0.5) * deck.dy();
  int last = 0;
  for (int i = 1; i < int(deck.states.size()); ++i) {
    const State &s = deck.states[i];
    const auto within = [](double distance, double extent) { return std::abs(distance) < extent; };
    bool is_in = std::hypot(x - s.xmin, y - s.ymin) <= s.radius;
    if (s.geometry == State::point)
      is_in = within(x - s.xmin, deck.dx() / 2) && within(y - s.ymin, deck.dy() / 2);
    if (s.geometry == State::rectangle)
      is_in = within(x - (s.xmin + s.xmax) / 2, (s.xmax - s.xmin + 0.98 * deck.dx()) / 2) &&
              within(y - (s.ymin + s.ymax) / 2, (s.ymax - s.ymin + 0.98 * deck.dy()) / 2);
    if (is_in)
      last = i;
  }
  return last;
}

course::Gas gas_of(const Deck &deck) {
  course::Gas gas(deck.x_cells, deck.y_cells, deck.dx(), deck.dy());
  const auto state = [&](int x, int y) { return state_at(deck, x, y); };
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

// Compares the fields of a chunk at the end of a step with the whole mesh. want(field, x, y) is the
// value of field 0 to 3 in column x and row y. An error may be `tolerance`: all values are at most
// of magnitude 10.
template <class Want> bool is_right(const Chunk &chunk, Want want, double tolerance) {
  const char *names[] = {"density", "energy", "x velocity", "y velocity"};
  const double *fields[] = {chunk.f.density0, chunk.f.energy0, chunk.f.xvel0, chunk.f.yvel0};
  bool correct = true;
  for (int k = 0; k < 4; ++k) {
    const std::vector<double> got = chunk.to_host(fields[k], k / 2); // velocities: at nodes
    const std::size_t width = chunk.place.nx + k / 2;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      const int x = chunk.place.first_x + int(i % width), y = chunk.place.first_y + int(i / width);
      wrong += !(std::abs(got[i] - want(k, x, y)) <= tolerance);
    }
    if (wrong > 0)
      std::printf("%s: %zu of %zu values are wrong\n", names[k], wrong, got.size());
    correct = correct && wrong == 0;
  }
  return correct;
}

// Advances a chunk and the reference by a few steps.
bool agrees_with_reference(const course::Ranks &ranks, const Deck &deck, Chunk &chunk) {
  Deck few_steps = deck;
  few_steps.end_step = 20;
  course::Gas gas = gas_of(deck);
  const auto want = [&](int field, int x, int y) {
    const course::Mirrored *fields[] = {&gas.density, &gas.energy, &gas.xvel, &gas.yvel};
    return (*fields[field])(x, y);
  };
  Halo halo(chunk);
  start(deck, chunk);
  bool correct = is_right(chunk, want, 0);
  const Moment end = run(ranks, few_steps, chunk, halo, plain);
  double dt = deck.initial_timestep;
  for (int step = 1; step <= end.step; ++step)
    dt = gas.step(std::min(dt * deck.timestep_rise, deck.max_timestep), step % 2 == 1);
  correct = is_right(chunk, want, 1e-11) && correct;
  return course::verify_value("time step", end.dt, dt, 1e-10) && correct;
}

// Advances the whole mesh on this rank, and its part on all ranks, from the start to the end of the
// deck.
bool has_bits_of_one_rank(const course::Ranks &ranks, const Deck &deck, Chunk &part) {
  Chunk whole(place_of(0, 1, deck.x_cells, deck.y_cells), deck.dx(), deck.dy());
  Halo whole_halo(whole), part_halo(part);
  start(deck, whole);
  run(ranks, deck, whole, whole_halo, plain);
  const std::vector<double> fields[] = {
      whole.to_host(whole.f.density0, 0), whole.to_host(whole.f.energy0, 0),
      whole.to_host(whole.f.xvel0, 1), whole.to_host(whole.f.yvel0, 1)};
  const auto want = [&](int field, int x, int y) {
    return fields[field][std::size_t(y) * (deck.x_cells + field / 2) + x];
  };

  bool correct = true;
  for (const Stages &stages : {plain, fused}) {
    start(deck, part);
    run(ranks, deck, part, part_halo, stages);
    correct = is_right(part, want, 0) && correct;
  }

  // A sum over chunks has the digits of the sum over the mesh.
  long double mass = 0;
  for (double density : fields[0])
    mass += whole.grid.volume * density;
  return course::verify_value("mass", summary_of(ranks, part).mass, double(mass)) && correct;
}

int main(int argc, char **argv) {
  const course::Ranks ranks(&argc, &argv);
  const Deck deck = read_deck(argv[1]);
  course::choose_device();
  Chunk part(place_of(ranks.rank, ranks.count, deck.x_cells, deck.y_cells), deck.dx(), deck.dy());
  const bool same_bits = has_bits_of_one_rank(ranks, deck, part);
  const bool correct = agrees_with_reference(ranks, deck, part) && same_bits;
  const bool all_correct = ranks.sum(correct) == ranks.count;
  if (ranks.rank > 0)
    return all_correct ? EXIT_SUCCESS : EXIT_FAILURE;
  return course::verdict(all_correct);
}
