// The given functions of exercise 17-cloverleaf/capstone. The gas is in the lesson's fields, in
// device memory; your pdv and time_step get copies with the layout of field.hpp.
#pragma once

// First, because its kernels pdv and time_step have the names of your functions.
#include "lessons/17-cloverleaf/step.hpp"

#include "common/check.hpp"
#include "common/mpi.hpp"
#include "exercises/17-cloverleaf/field.hpp"
#include "exercises/17-cloverleaf/pdv.hpp"
#include "exercises/17-cloverleaf/time-step.hpp"

#include <cstddef>
#include <vector>

// A rank's part of the gas.
struct Part {
  Chunk chunk;
  Halo halo{chunk};

  // The parts form a grid with ranks_x columns.
  Part(int nx, int ny, int ranks_x, double dx, double dy)
      : chunk(place_in_grid(nx, ny, ranks_x), dx, dy) {}

  // The caller's arrays, with the layout of field.hpp, become the fields that a step begins with.
  void load(const double *density, const double *energy, const double *xvel, const double *yvel) {
    to_device(chunk.f.density0, density, of_cells);
    to_device(chunk.f.energy0, energy, of_cells);
    to_device(chunk.f.xvel0, xvel, x_velocity);
    to_device(chunk.f.yvel0, yvel, y_velocity);
  }

  // The reverse, with all ghosts up to date.
  void store(double *density, double *energy, double *xvel, double *yvel) {
    const Fields &f = chunk.f;
    halo.update({{f.density0, of_cells},
                 {f.energy0, of_cells},
                 {f.xvel0, x_velocity},
                 {f.yvel0, y_velocity}});
    from_device(density, f.density0, of_cells);
    from_device(energy, f.energy0, of_cells);
    from_device(xvel, f.xvel0, x_velocity);
    from_device(yvel, f.yvel0, y_velocity);
  }

  // Copies a field with its ghosts to an array in host memory, and back.
  std::vector<double> to_host(const double *field, const Kind &kind) const {
    std::vector<double> array(width(kind) * height(kind));
    from_device(array.data(), field, kind);
    return array;
  }
  void from_device(double *array, const double *field, const Kind &kind) const {
    copy(array, width(kind), field + outermost(), chunk.grid.pitch, kind, cudaMemcpyDeviceToHost);
  }
  void to_device(double *field, const double *array, const Kind &kind) const {
    copy(field + outermost(), chunk.grid.pitch, array, width(kind), kind, cudaMemcpyHostToDevice);
  }
  std::ptrdiff_t outermost() const { return chunk.grid.at(-ghosts, -ghosts); }

private:
  static Place place_in_grid(int nx, int ny, int ranks_x) {
    int rank, ranks;
    MPI_CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    MPI_CHECK(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
    const int column = rank % ranks_x, row = rank / ranks_x, ranks_y = ranks / ranks_x;
    Place place{0, 0, nx, ny, {wall, wall, wall, wall}};
    if (column > 0)
      place.neighbours[left] = rank - 1;
    if (column + 1 < ranks_x)
      place.neighbours[right] = rank + 1;
    if (row > 0)
      place.neighbours[bottom] = rank - ranks_x;
    if (row + 1 < ranks_y)
      place.neighbours[top] = rank + ranks_x;
    return place;
  }

  std::size_t width(const Kind &kind) const { return chunk.grid.nx + 4 + kind.nodes_x; }
  std::size_t height(const Kind &kind) const { return chunk.grid.ny + 4 + kind.nodes_y; }
  void copy(double *to, std::size_t to_pitch, const double *from, std::size_t from_pitch,
            const Kind &kind, cudaMemcpyKind direction) const {
    const std::size_t size = sizeof(double);
    CUDA_CHECK(cudaMemcpy2D(to, to_pitch * size, from, from_pitch * size, width(kind) * size,
                            height(kind), direction));
  }
};

// Your time_step: the longest step that every cell of this part allows.
inline double longest_step(const Part &part) {
  const Grid &grid = part.chunk.grid;
  const Fields &f = part.chunk.f;
  return time_step(
      grid.nx, grid.ny, grid.dx, grid.dy, part.to_host(f.density0, of_cells).data(),
      part.to_host(f.viscosity, of_cells).data(), part.to_host(f.sound_speed, of_cells).data(),
      part.to_host(f.xvel0, x_velocity).data(), part.to_host(f.yvel0, y_velocity).data());
}

// Your pdv, from density0 and energy0 to density1 and energy1. The nodes move with the mean of two
// velocities: for the predictor, give xvel0 and yvel0 twice.
inline void compress_cells(const Part &part, double time, const double *xvel0, const double *yvel0,
                           const double *xvel1, const double *yvel1) {
  const Grid &grid = part.chunk.grid;
  const Fields &f = part.chunk.f;
  const auto mean = [&](const double *before, const double *after, const Kind &kind) {
    std::vector<double> values = part.to_host(before, kind);
    const std::vector<double> others = part.to_host(after, kind);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = (values[i] + others[i]) / 2;
    return values;
  };
  const std::vector<double> density0 = part.to_host(f.density0, of_cells);
  const std::vector<double> energy0 = part.to_host(f.energy0, of_cells);
  std::vector<double> density1 = density0, energy1 = energy0; // for the outer ghosts
  pdv(grid.nx, grid.ny, grid.dx, grid.dy, time, density0.data(), energy0.data(),
      part.to_host(f.pressure, of_cells).data(), part.to_host(f.viscosity, of_cells).data(),
      mean(xvel0, xvel1, x_velocity).data(), mean(yvel0, yvel1, y_velocity).data(), density1.data(),
      energy1.data());
  part.to_device(f.density1, density1.data(), of_cells);
  part.to_device(f.energy1, energy1.data(), of_cells);
}

// Pressure and sound speed of all cells, ghosts included.
inline void find_pressure(const Part &part, const double *density, const double *energy) {
  Grid all = part.chunk.grid;
  all.nx += 2 * ghosts;
  all.ny += 2 * ghosts;
  const std::ptrdiff_t first = part.outermost();
  ideal_gas<<<blocks_for(all.nx, all.ny), block_shape()>>>(all, density + first, energy + first,
                                                           part.chunk.f.pressure + first,
                                                           part.chunk.f.sound_speed + first);
  CUDA_CHECK(cudaGetLastError());
}

// The artificial viscosity, with its ghosts.
inline void find_viscosity(Part &part) {
  const Grid &grid = part.chunk.grid;
  const Fields &f = part.chunk.f;
  viscosity<<<blocks_for(grid.nx, grid.ny), block_shape()>>>(grid, f.density0, f.pressure, f.xvel0,
                                                             f.yvel0, f.viscosity);
  CUDA_CHECK(cudaGetLastError());
  part.halo.update({{f.viscosity, of_cells}});
}

// Pressure and viscosity accelerate the nodes: xvel1 and yvel1, with their ghosts. Then the volumes
// that flow through the faces, with their ghosts.
inline void move_nodes(Part &part, double dt) {
  const Grid &grid = part.chunk.grid;
  const Fields &f = part.chunk.f;
  const dim3 nodes = blocks_for(grid.nx + 1, grid.ny + 1);
  accelerate<<<nodes, block_shape()>>>(grid, dt, f.density0, f.pressure, f.viscosity, f.xvel0,
                                       f.yvel0, f.xvel1, f.yvel1);
  CUDA_CHECK(cudaGetLastError());
  flux<<<nodes, block_shape()>>>(grid, dt, f.xvel0, f.xvel1, f.yvel0, f.yvel1, f.vol_flux_x,
                                 f.vol_flux_y);
  CUDA_CHECK(cudaGetLastError());
  part.halo.update({{f.xvel1, x_velocity},
                    {f.yvel1, y_velocity},
                    {f.vol_flux_x, x_flux},
                    {f.vol_flux_y, y_flux}});
}

// Of a part of the gas.
inline double kinetic_energy(int nx, int ny, double volume, const double *density,
                             const double *xvel, const double *yvel) {
  double sum = 0;
  for (int row = 2; row < ny + 2; ++row)
    for (int col = 2; col < nx + 2; ++col) {
      const int lower = row * (nx + 5) + col, upper = lower + nx + 5;
      double squares = 0;
      for (int node : {lower, lower + 1, upper, upper + 1})
        squares += xvel[node] * xvel[node] + yvel[node] * yvel[node];
      sum += density[row * (nx + 4) + col] * volume / 2 * squares / 4;
    }
  return sum;
}
