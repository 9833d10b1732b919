// The mesh: the part of it that one rank has, its chunk, with the fields on the rank's device.
#pragma once

#include "common/buffer.hpp"
#include "common/check.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

constexpr int ghosts = 2; // layers of ghost cells on each side of a chunk

// The uniform mesh of a chunk. Cell (x, y) lies between the nodes x and x+1, y and y+1. Face x is
// the left side of a cell, face y its lower side. A pointer to a field points to its element (0,
// 0). Ghosts have x or y = -2 and -1, and two follow after the last cell, node or face.
struct Grid {
  int nx, ny;           // cells of the chunk
  std::ptrdiff_t pitch; // from row to row: x = 0 begins at a multiple of 128 bytes in each
  double dx, dy;
  double volume = dx * dy, per_dx = 1 / dx, per_dy = 1 / dy;

  __host__ __device__ std::ptrdiff_t at(int x, int y) const { return y * pitch + x; }
};

enum Side { left, right, bottom, top };

// The position of a rank's chunk: its first cell in the whole mesh, its number of cells, and the
// ranks on its four sides, or `wall`.
constexpr int wall = -1;
struct Place {
  int first_x, first_y, nx, ny;
  int neighbours[4]; // by Side
};

// Splits the mesh into columns and rows of chunks, so that the edges between them are as short as
// possible. If two splits are equally good, the one with longer rows is taken.
inline Place place_of(int rank, int ranks, int x_cells, int y_cells) {
  const auto edges = [&](int columns) {
    return (long long)(columns - 1) * y_cells + (long long)(ranks / columns - 1) * x_cells;
  };
  int columns = 1;
  for (int i = 2; i <= ranks; ++i)
    if (ranks % i == 0 && edges(i) < edges(columns))
      columns = i;
  const int rows = ranks / columns, column = rank % columns, row = rank / columns;
  const auto first = [](int cells, int part, int parts) {
    return int((long long)cells * part / parts);
  };
  const int x = first(x_cells, column, columns), y = first(y_cells, row, rows);
  return {x,
          y,
          first(x_cells, column + 1, columns) - x,
          first(y_cells, row + 1, rows) - y,
          {column > 0 ? rank - 1 : wall, column + 1 < columns ? rank + 1 : wall,
           row > 0 ? rank - columns : wall, row + 1 < rows ? rank + columns : wall}};
}

// The fields of a chunk. Fields ending in 0 hold the values at the start of the step, fields ending
// in 1 the new values.
struct Fields {
  double *density0, *density1, *energy0, *energy1, *pressure, *viscosity, *sound_speed; // in cells
  double *xvel0, *xvel1, *yvel0, *yvel1;                                                // at nodes
  double *vol_flux_x, *mass_flux_x, *vol_flux_y, *mass_flux_y; // through faces
  double *work[4];                                             // for the advection

  void swap() {
    std::swap(density0, density1);
    std::swap(energy0, energy1);
    std::swap(xvel0, xvel1);
    std::swap(yvel0, yvel1);
  }
};

class Chunk {
public:
  Grid grid;
  Place place;
  Fields f;
  course::Buffer<unsigned long long> least{1}; // for the minimum of the cells' time steps

  Chunk(const Place &place, double dx, double dy)
      : grid{place.nx, place.ny, (margin + place.nx + 1 + ghosts + 15) / 16 * 16, dx, dy},
        place(place) {
    for (double **field :
         {&f.density0, &f.density1, &f.energy0, &f.energy1, &f.pressure, &f.viscosity,
          &f.sound_speed, &f.xvel0, &f.xvel1, &f.yvel0, &f.yvel1, &f.vol_flux_x, &f.vol_flux_y,
          &f.mass_flux_x, &f.mass_flux_y, &f.work[0], &f.work[1], &f.work[2], &f.work[3]}) {
      memory.emplace_back(grid.pitch * (place.ny + 1 + 2 * ghosts));
      *field = memory.back().data() + ghosts * grid.pitch + margin;
    }
  }
  Chunk(const Chunk &) = delete;
  Chunk &operator=(const Chunk &) = delete;

  // The values of a field, row by row, without ghosts. `more` is 0 for cells and 1 for nodes.
  std::vector<double> to_host(const double *field, int more) const {
    const std::size_t width = grid.nx + more, height = grid.ny + more;
    std::vector<double> values(width * height);
    CUDA_CHECK(cudaMemcpy2D(values.data(), width * sizeof(double), field,
                            grid.pitch * sizeof(double), width * sizeof(double), height,
                            cudaMemcpyDeviceToHost));
    return values;
  }

private:
  static constexpr std::ptrdiff_t margin = 16; // doubles before x = 0: the last two are ghosts
  std::vector<course::Buffer<double>> memory;
};

// Blocks of 64 x 4 threads: each row of a block is two warps, and their loads are contiguous.
inline dim3 block_shape() { return dim3(64, 4); }
inline dim3 blocks_for(int columns, int rows) {
  const dim3 block = block_shape();
  return dim3((columns + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
}
// For kernels in which each thread takes many cells of a column: at most about 4096 blocks.
inline dim3 few_blocks_for(int columns, int rows) {
  const dim3 blocks = blocks_for(columns, rows);
  return dim3(blocks.x, std::min(blocks.y, std::max(1u, 4096 / blocks.x)));
}
