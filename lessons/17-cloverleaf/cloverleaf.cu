// Lesson 17: CloverLeaf: the flow of a gas in two dimensions, on one GPU for each rank of MPI.
//
// Build: nvcc -O3 -std=c++17 -fmad=false -ccbin mpicxx -I. lessons/17-cloverleaf/cloverleaf.cu
// Run:   mpirun -n 2 ./a.out [DECK] [--frames STEPS] [--checkpoint STEPS] [--restart]
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"
#include "lessons/17-cloverleaf/hydro.hpp"
#include "lessons/17-cloverleaf/outputs.hpp"
#include "lessons/17-cloverleaf/report.hpp"
#include "lessons/17-cloverleaf/setup.hpp"
#include "lessons/17-cloverleaf/start.hpp"

#include <algorithm>
#include <cmath>

int main(int argc, char **argv) {
  const course::Ranks ranks(&argc, &argv);
  const Options options = options_from(ranks, argc, argv);
  const Deck deck = deck_from(ranks, options);
  const Place place = place_of(ranks.rank, ranks.count, deck.x_cells, deck.y_cells);
  const int sharing = course::choose_device(); // ranks on this GPU
  if (!fits(ranks, deck, place, sharing))
    return 2;
  Chunk chunk(place, (deck.xmax - deck.xmin) / deck.x_cells,
              (deck.ymax - deck.ymin) / deck.y_cells);
  Halo halo(chunk);
  start(deck, chunk);
  Outputs outputs(ranks, options, deck, chunk);
  Moment now = outputs.begin(); // with --restart it sets the chunk again
  const Moment begin = now;
  const Summary first = summary_of(ranks, chunk);
  Summary last = first;
  if (ranks.rank == 0) {
    std::printf("%d x %d cells; ranks: %d, with about %d x %d cells, %d for each GPU\n",
                deck.x_cells, deck.y_cells, ranks.count, place.nx, place.ny, sharing);
    print_summary(now, deck, first);
  }

  const course::Timer timer;
  while (!is_complete(deck, now)) {
    // [loop]
    ++now.step;
    const double allowed = allowed_time_step(chunk, halo);
    now.dt = std::min({allowed, now.dt * deck.timestep_rise, deck.max_timestep});
    if (!(now.dt >= shortest_time_step))
      report_fault(ranks, chunk, now.step);
    if (ranks.rank == 0)
      print_step(now);
    hydro_step(chunk, halo, now.dt, now.step % 2 == 1);
    now.time += now.dt;
    outputs.after_step(now);
    // [end]
    if (is_complete(deck, now) || is_due(now.step, deck.summary_frequency)) {
      last = summary_of(ranks, chunk);
      if (ranks.rank == 0)
        print_summary(now, deck, last);
    }
  }
  const double seconds = timer.seconds(); // the summary has waited for the device
  if (!std::isfinite(last.total_energy()))
    report_fault(ranks, chunk, now.step + 1); // that step would find it
  outputs.end();

  const bool correct = prove(ranks, deck, first, last); // the same on all ranks
  if (ranks.rank > 0)
    return correct ? EXIT_SUCCESS : EXIT_FAILURE;
  course::figure("time", seconds, "s");
  course::figure("cells", 1e-9 * deck.x_cells * deck.y_cells * (now.step - begin.step) / seconds,
                 "Gcell/s");
  return course::verdict(correct);
}
