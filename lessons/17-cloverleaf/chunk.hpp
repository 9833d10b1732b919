// The part of the mesh that one rank has, its chunk, and the fields of it on the rank's device.
#pragma once

#include "common/check.hpp"

#include <cstddef>
#include <vector>

constexpr int ghosts = 2; // layers of ghost cells on each side of a chunk

// What a kernel has to know of the mesh. It is uniform: all cells are dx wide and dy high. Cell
// (x, y) lies between the nodes x and x+1, y and y+1; face x is the left one of a cell, face y the
// lower one. A pointer to a field points to its element (0, 0): ghosts are at x or y = -2 and -1,
// and two after the last cell, node or face.
struct Grid {
  int nx, ny;           // cells of the chunk
  std::ptrdiff_t pitch; // from row to row: x = 0 begins at a multiple of 128 bytes in each
  double dx, dy;
  double volume = dx * dy, per_dx = 1 / dx, per_dy = 1 / dy;

  __host__ __device__ std::ptrdiff_t at(int x, int y) const { return y * pitch + x; }
};

enum Side { left, right, bottom, top };

// Where the chunk of a rank lies: its first cell in the whole mesh, its number of cells, and the
// ranks at its four sides, or `wall`.
constexpr int wall = -1;
struct Place {
  int first_x, first_y, nx, ny;
  int neighbours[4]; // by Side
};

// Splits the mesh into columns by rows of chunks, so that the edges between them are as short as
// possible; of equals it takes the one with the longer rows. Chunks differ by one cell.
inline Place place_of(int rank, int ranks, int x_cells, int y_cells) {
  int columns = 1;
  const auto edges = [&](int columns) {
    return (long long)(columns - 1) * y_cells + (long long)(ranks / columns - 1) * x_cells;
  };
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

// The fields of a chunk. Those of a step's start end in 0, those that the step computes in 1.
struct Fields {
  double *density0, *density1, *energy0, *energy1, *pressure, *viscosity, *sound_speed; // of cells
  double *xvel0, *xvel1, *yvel0, *yvel1;                                                // of nodes
  double *vol_flux_x, *mass_flux_x, *vol_flux_y, *mass_flux_y; // of faces: what flows through them
  double *work[4];                                             // of the advection

  static constexpr int count = 19;
};

class Chunk {
public:
  Grid grid;
  Place place;
  Fields f;
  unsigned long long *d_least; // for the minimum of the cells' time steps

  Chunk(const Place &place, double dx, double dy)
      : grid{place.nx, place.ny, pitch_of(place), dx, dy}, place(place) {
    for (double **field :
         {&f.density0, &f.density1, &f.energy0, &f.energy1, &f.pressure, &f.viscosity,
          &f.sound_speed, &f.xvel0, &f.xvel1, &f.yvel0, &f.yvel1, &f.vol_flux_x, &f.vol_flux_y,
          &f.mass_flux_x, &f.mass_flux_y, &f.work[0], &f.work[1], &f.work[2], &f.work[3]}) {
      double *memory = nullptr;
      CUDA_CHECK(cudaMalloc(&memory, bytes_of_field(place)));
      allocated.push_back(memory);
      *field = memory + ghosts * grid.pitch + margin;
    }
    CUDA_CHECK(cudaMalloc(&d_least, sizeof *d_least));
  }
  ~Chunk() {
    for (double *memory : allocated)
      cudaFree(memory);
    cudaFree(d_least);
  }
  Chunk(const Chunk &) = delete;
  Chunk &operator=(const Chunk &) = delete;

  // Device memory of a chunk.
  static std::size_t bytes(const Place &place) { return Fields::count * bytes_of_field(place); }

  // The values of a field, row by row, without ghosts: `more_x` and `more_y` are 0 for cells and 1
  // for nodes.
  std::vector<double> to_host(const double *field, int more_x, int more_y) const {
    const std::size_t width = grid.nx + more_x, height = grid.ny + more_y;
    std::vector<double> values(width * height);
    CUDA_CHECK(cudaMemcpy2D(values.data(), width * sizeof(double), field,
                            grid.pitch * sizeof(double), width * sizeof(double), height,
                            cudaMemcpyDeviceToHost));
    return values;
  }
  void from_host(const std::vector<double> &values, double *field, int more_x, int more_y) const {
    const std::size_t width = grid.nx + more_x, height = grid.ny + more_y;
    CUDA_CHECK(cudaMemcpy2D(field, grid.pitch * sizeof(double), values.data(),
                            width * sizeof(double), width * sizeof(double), height,
                            cudaMemcpyHostToDevice));
  }

private:
  // Doubles before x = 0: the ghosts are the last of them.
  static constexpr std::ptrdiff_t margin = 16;
  static std::ptrdiff_t pitch_of(const Place &place) {
    return (margin + place.nx + 1 + ghosts + 15) / 16 * 16;
  }
  static std::size_t bytes_of_field(const Place &place) {
    return sizeof(double) * pitch_of(place) * (place.ny + 1 + 2 * ghosts);
  }

  std::vector<double *> allocated;
};
