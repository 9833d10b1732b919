// What comes before the first step: command line, deck, and whether the device has room for it.
#pragma once

#include "common/device.hpp"
#include "common/mpi.hpp"
#include "lessons/17-cloverleaf/gas.hpp"
#include "lessons/17-cloverleaf/halo.hpp"
#include "lessons/17-cloverleaf/options.hpp"
#include "lessons/17-cloverleaf/read_deck.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

// Without an argument: a hot, dense gas in a corner of a box, the original's benchmark. On a GPU in
// the size of its test problem 4.
inline Deck default_deck() {
  Deck deck;
  State background, hot;
  background.density = 0.2;
  background.energy = 1;
  hot.density = 1;
  hot.energy = 2.5;
  hot.xmin = hot.ymin = 0;
  hot.xmax = 5;
  hot.ymax = 2;
  deck.states = {background, hot};
  deck.xmax = deck.ymax = 10;
  deck.initial_timestep = deck.max_timestep = 0.04;
  deck.end_step = 87;
  deck.x_cells = deck.y_cells = course::size(3840, 240);
  deck.test_problem = course::size(4, 0);
  return deck;
}

inline Options options_from(const course::Ranks &ranks, int argc, char **argv) {
  Options options;
  ranks.first_rank_first([&] { options = read_options(argc, argv); });
  return options;
}

inline Deck deck_from(const course::Ranks &ranks, const Options &options) {
  Deck deck;
  ranks.first_rank_first([&] {
    if (ranks.rank == 0)
      course::print_device();
    deck = options.deck.empty() ? default_deck() : read_deck(options.deck);
  });
  return deck;
}

// Whether a rank cannot have its chunk, and why; "" if it can. `sharing` ranks are on its device.
inline std::string fault_of(const Place &place, int sharing) {
  char why[128] = "";
  // The largest grid is that of node_masses; CUDA allows this many blocks in y.
  const int most_rows = 65535 * block_shape().y - 3;
  if (std::min(place.nx, place.ny) < ghosts)
    std::snprintf(why, sizeof why, "it needs at least %d x %d", ghosts, ghosts);
  else if (place.ny > most_rows)
    std::snprintf(why, sizeof why, "a launch has threads for %d rows; start more ranks", most_rows);
  else {
    const double needed = double(sharing) * (Chunk::bytes(place) + 2 * Halo::bytes(place));
    std::size_t free_bytes = 0, total_bytes = 0;
    CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    if (!(needed <= free_bytes))
      std::snprintf(why, sizeof why, "its device needs %.0f MB, %.0f MB are free", 1e-6 * needed,
                    1e-6 * free_bytes);
  }
  return why;
}

// Whether all ranks can have their chunks: the same answer on each.
inline bool fits(const course::Ranks &ranks, const Deck &deck, const Place &place, int sharing) {
  const std::string fault = fault_of(place, sharing);
  int mine = fault.empty() ? ranks.count : ranks.rank, first = 0; // the first rank with a fault
  MPI_CHECK(MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
  if (first == ranks.rank)
    std::fprintf(stderr, "%d x %d cells do not fit on %d ranks: rank %d has %d x %d cells; %s\n",
                 deck.x_cells, deck.y_cells, ranks.count, first, place.nx, place.ny, fault.c_str());
  return first == ranks.count;
}
