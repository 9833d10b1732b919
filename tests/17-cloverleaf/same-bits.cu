// The ranks together compute what each of them computes alone, to the last bit.
//
// Run: mpirun -n 4 ./same-bits DECK
#include "common/verify.hpp"
#include "lessons/17-cloverleaf/run.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

// Advances a chunk from the start to the end of the deck.
void run(const Deck &deck, Chunk &chunk) {
  Halo halo(chunk);
  start(deck, chunk);
  Moment now{0, 0, deck.initial_timestep};
  while (!is_complete(deck, now)) {
    ++now.step;
    now.dt =
        std::min({allowed_time_step(chunk, halo), now.dt * deck.timestep_rise, deck.max_timestep});
    hydro_step(chunk, halo, now.dt, now.step % 2 == 1);
    now.time += now.dt;
  }
}

int main(int argc, char **argv) {
  const course::Ranks ranks(&argc, &argv);
  const Deck deck = read_deck(argv[1]);
  course::choose_device();
  const double dx = (deck.xmax - deck.xmin) / deck.x_cells,
               dy = (deck.ymax - deck.ymin) / deck.y_cells;
  const Place place = place_of(ranks.rank, ranks.count, deck.x_cells, deck.y_cells);
  Chunk part(place, dx, dy), whole(place_of(0, 1, deck.x_cells, deck.y_cells), dx, dy);
  run(deck, part);
  run(deck, whole); // on all ranks

  bool correct = true;
  const auto compare = [&](const char *what, double *of_part, double *of_whole, int more) {
    const std::vector<double> got = part.to_host(of_part, more);
    const std::vector<double> want = whole.to_host(of_whole, more);
    const std::size_t width = place.nx + more, all = deck.x_cells + more;
    correct =
        course::verify(what, got.data(), got.size(),
                       [&](std::size_t i) {
                         return want[(place.first_y + i / width) * all + place.first_x + i % width];
                       }) &&
        correct;
  };
  compare("density", part.f.density0, whole.f.density0, 0);
  compare("energy", part.f.energy0, whole.f.energy0, 0);
  compare("x velocity", part.f.xvel0, whole.f.xvel0, 1);
  compare("y velocity", part.f.yvel0, whole.f.yvel0, 1);

  // A sum over chunks has the digits of the sum over the mesh.
  long double mass = 0;
  for (double density : whole.to_host(whole.f.density0, 0))
    mass += whole.grid.volume * density;
  correct = course::verify_value("mass", summary_of(ranks, part).mass, double(mass)) && correct;
  int mine = correct, same = 0;
  MPI_CHECK(MPI_Allreduce(&mine, &same, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
  if (ranks.rank > 0)
    return same ? EXIT_SUCCESS : EXIT_FAILURE;
  return course::verdict(same);
}
