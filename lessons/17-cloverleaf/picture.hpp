// Pictures of the density: one PNG file each.
#pragma once

#include "common/mpi.hpp"
#include "common/picture.hpp"
#include "lessons/17-cloverleaf/deck.hpp"
#include "lessons/17-cloverleaf/mesh.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

// Rank 0 writes density-STEP.png. A pixel is the mean of scale x scale cells, or fewer at the
// edges. The colours show the logarithm of the density, from a third of the lowest density at the
// start, blue, to three times the highest one, red. A small mesh is enlarged.
inline void draw(const course::Ranks &ranks, const Deck &deck, const Chunk &chunk, int step) {
  const Place &place = chunk.place;
  const int scale = (std::max(deck.x_cells, deck.y_cells) + 799) / 800;
  const int width = (deck.x_cells + scale - 1) / scale, height = (deck.y_cells + scale - 1) / scale;
  const std::vector<double> density = chunk.to_host(chunk.f.density0, 0);
  std::vector<double> mine(std::size_t(width) * height), all(mine.size());
  for (int y = 0; y < place.ny; ++y) // each rank adds its cells; the first row is the top one
    for (int x = 0; x < place.nx; ++x) {
      const int column = (place.first_x + x) / scale, row = (place.first_y + y) / scale;
      const int cells = std::min(scale, deck.x_cells - column * scale) *
                        std::min(scale, deck.y_cells - row * scale);
      mine[std::size_t(height - 1 - row) * width + column] +=
          density[std::size_t(y) * place.nx + x] / cells;
    }
  MPI_CHECK(
      MPI_Reduce(mine.data(), all.data(), int(all.size()), MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD));
  if (ranks.rank > 0)
    return;
  for (double &pixel : all)
    pixel = std::log(pixel);
  const auto [low, high] =
      std::minmax_element(deck.states.begin(), deck.states.end(),
                          [](const State &a, const State &b) { return a.density < b.density; });
  char file[32];
  std::snprintf(file, sizeof file, "density-%06d.png", step);
  course::write_picture(file, all.data(), width, height, std::log(low->density / 3),
                        std::log(3 * high->density), std::max(1, 400 / std::max(width, height)));
}
