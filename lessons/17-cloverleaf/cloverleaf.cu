// Lesson 17: CloverLeaf: the flow of a gas in two dimensions, on one GPU for each rank of MPI.
//
// Build: nvcc -O3 -std=c++17 -fmad=false -ccbin mpicxx -I. lessons/17-cloverleaf/cloverleaf.cu -o
// cloverleaf Run:   mpirun -n 2 ./cloverleaf [deck.in]
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"
#include "lessons/17-cloverleaf/hydro.hpp"
#include "lessons/17-cloverleaf/report.hpp"
#include "lessons/17-cloverleaf/setup.hpp"
#include "lessons/17-cloverleaf/start.hpp"

#include <algorithm>

constexpr double shortest_time_step = 1e-7;

int main(int argc, char **argv) {
  const course::Ranks ranks(&argc, &argv);
  const Deck deck = deck_from(ranks, argc, argv);
  const Place place = place_of(ranks.rank, ranks.count, deck.x_cells, deck.y_cells);
  const int sharing = course::choose_device(); // ranks on this GPU
  if (!fits(ranks, deck, place, sharing))
    return 2;
  Chunk chunk(place, (deck.xmax - deck.xmin) / deck.x_cells,
              (deck.ymax - deck.ymin) / deck.y_cells);
  Halo halo(chunk);
  start(deck, chunk);
  const Summary first = summary_of(ranks, chunk);
  if (ranks.rank == 0) {
    std::printf("%d x %d cells; ranks: %d with about %d x %d cells, %d for each GPU\n",
                deck.x_cells, deck.y_cells, ranks.count, place.nx, place.ny, sharing);
    print_summary(0, 0, deck, first);
  }

  Summary last = first;
  int step = 0;
  double time = 0, dt = deck.initial_timestep;
  const course::Timer timer;
  for (bool complete = false; !complete;) {
    ++step;
    // [time-step]
    const double allowed = allowed_time_step(chunk, halo);
    dt = std::min({allowed, dt * deck.timestep_rise, deck.max_timestep});
    // [end]
    if (!(dt >= shortest_time_step))
      report_fault(ranks, chunk, step);
    if (ranks.rank == 0)
      print_step(step, time, dt);
    hydro_step(chunk, halo, dt, step % 2 == 1);
    time += dt;
    complete = time + tiny > deck.end_time || step >= deck.end_step;
    if (complete || (deck.summary_frequency > 0 && step % deck.summary_frequency == 0)) {
      last = summary_of(ranks, chunk);
      if (ranks.rank == 0)
        print_summary(step, time, deck, last);
    }
  }
  const double seconds = timer.seconds(); // the summary has waited for the device

  const bool correct = prove(ranks, deck, first, last); // the same on all ranks
  if (ranks.rank > 0)
    return correct ? EXIT_SUCCESS : EXIT_FAILURE;
  course::figure("time", seconds, "s");
  course::figure("cells", 1e-9 * deck.x_cells * deck.y_cells * step / seconds, "Gcell/s");
  return course::verdict(correct);
}
