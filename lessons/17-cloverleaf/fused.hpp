// Fused kernels of the ladder: what the kernels of gas.hpp and lagrange.hpp do, in one pass over
// memory each. They call the same equations in the same order, so they give the same bits.
#pragma once

#include "lessons/17-cloverleaf/lagrange.hpp"

// Ideal gas, viscosity and time step. The pressure is cheap: it is computed anew where a
// neighbour's is needed. Also for the nearest ghost cells, which then need no halo update of the
// viscosity. pressure may be nullptr: nobody needs it then.
__global__ void gas_fused(Grid grid, const double *__restrict__ density,
                          const double *__restrict__ energy, const double *__restrict__ xvel,
                          const double *__restrict__ yvel, double *__restrict__ pressure,
                          double *__restrict__ viscosity, unsigned long long *least) {
  const int x = int(blockIdx.x * blockDim.x + threadIdx.x) - 1;
  double dt = unlimited;
  if (x <= grid.nx)
    for (int y = int(blockIdx.y * blockDim.y + threadIdx.y) - 1; y <= grid.ny;
         y += gridDim.y * blockDim.y) {
      const std::ptrdiff_t i = grid.at(x, y);
      const auto p = [&](std::ptrdiff_t cell) { return pressure_of(density[cell], energy[cell]); };
      const Corners u = corners(xvel, i, grid.pitch), v = corners(yvel, i, grid.pitch);
      const double here = p(i);
      const double q = viscosity_of(grid, density[i], u, v, p(i - 1), p(i + 1), p(i - grid.pitch),
                                    p(i + grid.pitch));
      viscosity[i] = q;
      if (pressure)
        pressure[i] = here;
      dt = fmin(dt, time_step_of(grid, density[i], sound_speed_of(density[i], here), q, u, v));
    }
  minimum_of_block(dt, least);
}

// A block computes a tile: the cells, nodes and faces with the numbers of its threads.
constexpr int tile_x = 32, tile_y = 16;
inline dim3 tiles_for(int columns, int rows) {
  return dim3((columns + tile_x - 1) / tile_x, (rows + tile_y - 1) / tile_y);
}

// Calls work(x, y, place) for the elements of a box around the block's tile, x and y from the
// tile's first, which the threads share. place: of the element in an array of the box in shared
// memory.
// [box]
template <int x_begin, int x_end, int y_begin, int y_end, class Work>
__device__ void for_box(Work work) {
  constexpr int width = x_end - x_begin, size = width * (y_end - y_begin);
  for (int k = threadIdx.y * tile_x + threadIdx.x; k < size; k += tile_x * tile_y)
    work(x_begin + k % width, y_begin + k / width, k);
}
// [end]

// The whole Lagrangian step: predictor, ideal gas, acceleration, corrector and volume flux. What
// one of them computes and the next one needs beside the tile is computed by both blocks.
__global__ void lagrange_fused(Grid grid, double dt, const double *__restrict__ density0,
                               const double *__restrict__ energy0,
                               const double *__restrict__ viscosity,
                               const double *__restrict__ xvel0, const double *__restrict__ yvel0,
                               double *__restrict__ density1, double *__restrict__ energy1,
                               double *__restrict__ xvel1, double *__restrict__ yvel1,
                               double *__restrict__ vol_flux_x, double *__restrict__ vol_flux_y) {
  constexpr int cells = tile_x + 2, nodes = tile_x + 1; // in a row of the boxes
  __shared__ double density[cells * (tile_y + 2)], stress[cells * (tile_y + 2)];
  __shared__ double xvel[nodes * (tile_y + 1)], yvel[nodes * (tile_y + 1)]; // before + after
  const int first_x = blockIdx.x * tile_x, first_y = blockIdx.y * tile_y;

  // [stress]
  for_box<-1, tile_x + 1, -1, tile_y + 1>([&](int dx, int dy, int place) {
    const int x = first_x + dx, y = first_y + dy;
    if (x > grid.nx || y > grid.ny)
      return;
    const std::ptrdiff_t i = grid.at(x, y);
    const Corners u = corners(xvel0, i, grid.pitch), v = corners(yvel0, i, grid.pitch);
    const double before = pressure_of(density0[i], energy0[i]);
    const Compressed half =
        compress(grid, 0.5 * dt, density0[i], energy0[i], before + viscosity[i], u + u, v + v);
    density[place] = density0[i];
    stress[place] = pressure_of(half.density, half.energy) + viscosity[i];
  });
  __syncthreads();
  // [end]
  for_box<0, tile_x + 1, 0, tile_y + 1>([&](int dx, int dy, int place) {
    const int x = first_x + dx, y = first_y + dy;
    if (x > grid.nx || y > grid.ny)
      return;
    const std::ptrdiff_t i = grid.at(x, y);
    const int lower_left = dy * cells + dx;
    const Velocity change = accelerate_by(grid, dt, corners(density, lower_left, cells),
                                          corners(stress, lower_left, cells));
    const double u = xvel0[i] + change.x, v = yvel0[i] + change.y;
    xvel[place] = xvel0[i] + u;
    yvel[place] = yvel0[i] + v;
    if (dx < tile_x && dy < tile_y) {
      xvel1[i] = u;
      yvel1[i] = v;
    }
  });
  __syncthreads();
  const int x = first_x + threadIdx.x, y = first_y + threadIdx.y;
  if (x > grid.nx || y > grid.ny)
    return;
  const std::ptrdiff_t i = grid.at(x, y);
  const int node = threadIdx.y * nodes + threadIdx.x;
  if (y < grid.ny)
    vol_flux_x[i] = face_flux(grid.dy, dt, xvel[node], xvel[node + nodes]);
  if (x < grid.nx)
    vol_flux_y[i] = face_flux(grid.dx, dt, yvel[node], yvel[node + 1]);
  if (x < grid.nx && y < grid.ny) {
    const int cell = (threadIdx.y + 1) * cells + threadIdx.x + 1;
    const Compressed after = compress(grid, dt, density0[i], energy0[i], stress[cell],
                                      corners(xvel, node, nodes), corners(yvel, node, nodes));
    density1[i] = after.density;
    energy1[i] = after.energy;
  }
}
