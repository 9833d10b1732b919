// Lesson 17: CloverLeaf, the flow of a gas in two dimensions, on one GPU per MPI rank.
//
// Build: nvcc -O3 -std=c++17 -fmad=false -ccbin mpicxx -I. lessons/17-cloverleaf/cloverleaf.cu
// Run:   mpirun -n 2 ./a.out [DECK [PICTURE_STEPS]]
#include "common/arguments.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "lessons/17-cloverleaf/picture.hpp"
#include "lessons/17-cloverleaf/run.hpp"

int main(int argc, char **argv) {
  const course::Ranks ranks(&argc, &argv);
  Deck deck;
  int picture_steps = 0; // steps between two pictures; 0: none
  ranks.first_rank_first([&] {
    course::expect_arguments(argc, argv, 2, "[DECK [PICTURE_STEPS]]");
    if (ranks.rank == 0)
      course::print_device();
    deck = argc > 1 ? read_deck(argv[1]) : benchmark(course::problem_size(3840, 240));
    picture_steps = int(
        course::count_argument(argc, argv, 2, "PICTURE_STEPS", deck.visit_frequency, INT_MAX, 0));
  });
  const Place place = place_of(ranks.rank, ranks.count, deck.x_cells, deck.y_cells);
  if (ranks.sum(std::min(place.nx, place.ny) < ghosts) > 0) {
    if (ranks.rank == 0)
      std::fprintf(stderr, "%d x %d cells are too few for %d ranks: each needs at least 2 x 2\n",
                   deck.x_cells, deck.y_cells, ranks.count);
    return 2;
  }
  const int sharing = course::choose_device(); // ranks on this GPU
  Chunk chunk(place, (deck.xmax - deck.xmin) / deck.x_cells,
              (deck.ymax - deck.ymin) / deck.y_cells);
  Halo halo(chunk);
  start(deck, chunk);
  Moment now{0, 0, deck.initial_timestep};
  const Summary first = summary_of(ranks, chunk);
  Summary last = first;
  if (ranks.rank == 0) {
    std::printf("%d x %d cells; ranks: %d, with about %d x %d cells each; per GPU: %d\n",
                deck.x_cells, deck.y_cells, ranks.count, place.nx, place.ny, sharing);
    print_summary(now, deck, first);
  }
  const auto is_due = [&](int every) { return every > 0 && now.step % every == 0; };
  if (is_due(picture_steps))
    draw(ranks, deck, chunk, now.step);

  const double begin = MPI_Wtime();
  while (!is_complete(deck, now)) {
    // [loop]
    ++now.step;
    const double allowed = allowed_time_step(chunk, halo);
    now.dt = next_time_step(ranks, deck, now, allowed);
    if (ranks.rank == 0)
      std::printf(" Step %7d time %11.7f timestep %9.2E\n", now.step, now.time, now.dt);
    hydro_step(chunk, halo, now.dt, now.step % 2 == 1);
    now.time += now.dt;
    // [end]
    if (is_due(picture_steps))
      draw(ranks, deck, chunk, now.step);
    if (is_complete(deck, now) || is_due(deck.summary_frequency)) {
      last = summary_of(ranks, chunk);
      if (ranks.rank == 0)
        print_summary(now, deck, last);
    }
  }
  const double seconds = MPI_Wtime() - begin; // the summary has waited for the device

  const bool correct = is_right(ranks, deck, first, last); // the same on all ranks
  if (ranks.rank > 0)
    return correct ? EXIT_SUCCESS : EXIT_FAILURE;
  std::printf("%d steps: %.4f s, %.4g Gcell/s\n", now.step, seconds,
              1e-9 * deck.x_cells * deck.y_cells * now.step / seconds);
  return course::verdict(correct);
}
