// What comes before the first step: command line, deck, and whether the device has room for it.
#pragma once

#include "common/device.hpp"
#include "common/mpi.hpp"
#include "lessons/17-cloverleaf/halo.hpp"
#include "lessons/17-cloverleaf/options.hpp"
#include "lessons/17-cloverleaf/read_deck.hpp"

#include <algorithm>

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

// Whether every rank has enough cells, and its device room for the chunks of the `sharing` ranks on
// it. Every rank gets the same answer.
inline bool fits(const course::Ranks &ranks, const Deck &deck, const Place &place, int sharing) {
  const double needed = double(sharing) * (Chunk::bytes(place) + 2 * Halo::bytes(place));
  std::size_t free_bytes = 0, total_bytes = 0;
  CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  const bool has_cells = std::min(place.nx, place.ny) >= ghosts, has_room = needed <= free_bytes;
  int lacks = has_cells && has_room ? ranks.count : ranks.rank,
      first = 0; // the first one that lacks
  MPI_CHECK(MPI_Allreduce(&lacks, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
  if (first == ranks.rank) {
    std::fprintf(stderr, "%d x %d cells do not fit on %d ranks: rank %d ", deck.x_cells,
                 deck.y_cells, ranks.count, first);
    if (!has_cells)
      std::fprintf(stderr, "would have %d x %d cells, and needs at least %d x %d\n", place.nx,
                   place.ny, ghosts, ghosts);
    else
      std::fprintf(stderr, "has %d x %d cells; its device needs %.0f MB, %.0f MB are free\n",
                   place.nx, place.ny, 1e-6 * needed, 1e-6 * free_bytes);
  }
  return first == ranks.count;
}
