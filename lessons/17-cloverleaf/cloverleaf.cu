// Lesson 17: CloverLeaf, the flow of a gas in two dimensions, on one GPU per MPI rank.
//
// Build: nvcc -O3 -std=c++17 -fmad=false -ccbin mpicxx -I. lessons/17-cloverleaf/cloverleaf.cu -o cloverleaf
// Run:   mpirun -n 2 ./cloverleaf [DECK [PICTURE_STEPS]]
#include "common/arguments.hpp"
#include "common/device.hpp"
#include "common/mpi.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"
#include "lessons/17-cloverleaf/picture.hpp"
#include "lessons/17-cloverleaf/run.hpp"

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>

// The deck of the command line, or the benchmark.
Deck read_arguments(const course::Ranks &ranks, int argc, char **argv) {
  Deck deck;
  ranks.first_rank_first([&] {
    course::expect_arguments(argc, argv, 2, "[DECK [PICTURE_STEPS]]");
    if (ranks.rank == 0)
      course::print_device();
    deck = argc > 1 ? read_deck(argv[1]) : benchmark(course::problem_size(3840, 240));
    deck.visit_frequency = int(
        course::count_argument(argc, argv, 2, "PICTURE_STEPS", deck.visit_frequency, INT_MAX, 0));
  });
  return deck;
}

// False, with a message, if a rank has too few cells: the same on all ranks.
bool is_large_enough(const course::Ranks &ranks, const Deck &deck, const Place &place) {
  const bool is_large = ranks.sum(std::min(place.nx, place.ny) < ghosts) == 0;
  if (!is_large && ranks.rank == 0)
    std::fprintf(stderr, "%d x %d cells are too few for %d ranks: each needs at least 2 x 2\n",
                 deck.x_cells, deck.y_cells, ranks.count);
  return is_large;
}

// Something that happens every `period` steps; 0: never.
bool is_due(int period, const Moment &now) { return period > 0 && now.step % period == 0; }

int main(int argc, char **argv) {
  const course::Ranks ranks(&argc, &argv);
  const Deck deck = read_arguments(ranks, argc, argv);
  const Place place = place_of(ranks.rank, ranks.count, deck.x_cells, deck.y_cells);
  if (!is_large_enough(ranks, deck, place))
    return 2;

  const int sharing = course::choose_device(); // ranks on this GPU
  Chunk chunk(place, deck.dx(), deck.dy());
  Halo halo(chunk);
  start(deck, chunk);
  if (ranks.rank == 0)
    std::printf("%d x %d cells; ranks: %d, with about %d x %d cells each; per GPU: %d\n",
                deck.x_cells, deck.y_cells, ranks.count, place.nx, place.ny, sharing);

  const Moment begin{0, 0, deck.initial_timestep};
  const Summary first = report(ranks, deck, chunk, begin);
  if (is_due(deck.visit_frequency, begin))
    draw(ranks, deck, chunk, begin.step);

  const course::Timer timer;
  Summary last{};
  const Moment end = run(ranks, deck, chunk, halo, plain, [&](const Moment &now) {
    if (ranks.rank == 0) // the time at the start of the step
      std::printf(" Step %7d time %11.7f timestep %9.2E\n", now.step, now.time - now.dt, now.dt);
    if (is_due(deck.visit_frequency, now))
      draw(ranks, deck, chunk, now.step);
    if (is_complete(deck, now) || is_due(deck.summary_frequency, now))
      last = report(ranks, deck, chunk, now);
  });
  const double seconds = timer.seconds(); // the last summary has waited for the device

  const bool correct = is_right(ranks, deck, first, last); // the same on all ranks
  if (ranks.rank > 0)
    return correct ? EXIT_SUCCESS : EXIT_FAILURE;
  std::printf("%d steps: %.4f s, %.4g Gcell/s\n", end.step, seconds,
              1e-9 * deck.x_cells * deck.y_cells * end.step / seconds);
  return course::verdict(correct);
}
