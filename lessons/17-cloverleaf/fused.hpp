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

// The kernels below go through the mesh in strips: a warp goes up a strip, row by row, with a
// column for each lane. What a row needs of the row below it a lane keeps in registers; what it
// needs of the columns beside it comes by shuffles. So no warp waits for another one. Only `useful`
// lanes of a warp have a column of their own: the first `before` ones and the last ones compute
// what those need.
constexpr int strip_rows = 32;
inline dim3 strip_threads() { return dim3(32, 4); } // four strips side by side

template <int useful, int before = 0> struct Strip {
  int column, first_row, end_row;
  bool is_own; // else a lane that only helps

  // [strip]
  __device__ Strip(int columns, int rows) {
    const int strip = blockIdx.x * blockDim.y + threadIdx.y, lane = int(threadIdx.x) - before;
    column = strip * useful + lane;
    first_row = blockIdx.y * strip_rows;
    end_row = min(first_row + strip_rows, rows);
    is_own = lane >= 0 && lane < useful && column < columns;
  }
  // [end]
  static dim3 blocks(int columns, int rows) {
    const int block_columns = useful * strip_threads().y;
    return dim3((columns + block_columns - 1) / block_columns,
                (rows + strip_rows - 1) / strip_rows);
  }
};
inline __device__ double of_previous_lane(double value) {
  return __shfl_up_sync(0xFFFFFFFFu, value, 1);
}
inline __device__ double of_next_lane(double value) {
  return __shfl_down_sync(0xFFFFFFFFu, value, 1);
}

// The whole Lagrangian step: predictor, ideal gas, acceleration, corrector and volume flux. A lane
// computes the cell and the node of its column; beside them it needs the cell before and the node
// behind.
using LagrangeStrip = Strip<30, 1>;
__global__ void lagrange_fused(Grid grid, double dt, const double *__restrict__ density0,
                               const double *__restrict__ energy0,
                               const double *__restrict__ viscosity,
                               const double *__restrict__ xvel0, const double *__restrict__ yvel0,
                               double *__restrict__ density1, double *__restrict__ energy1,
                               double *__restrict__ xvel1, double *__restrict__ yvel1,
                               double *__restrict__ vol_flux_x, double *__restrict__ vol_flux_y) {
  const LagrangeStrip strip(grid.nx + 1, grid.ny);
  const int x = min(strip.column, grid.nx);
  std::ptrdiff_t i = grid.at(x, strip.first_row - 1);
  Corners u{}, v{}; // of the cell before the step
  u.upper_left = xvel0[i], u.upper_right = xvel0[i + 1];
  v.upper_left = yvel0[i], v.upper_right = yvel0[i + 1];
  Corners density{}, stress{};  // around the node
  Corners twice_u{}, twice_v{}; // of the cell below: before + after the step
  double energy = 0;            // of the cell below
  for (int y = strip.first_row - 1; y <= strip.end_row; ++y, i += grid.pitch) {
    // [stress]
    u = {u.upper_left, u.upper_right, xvel0[i + grid.pitch], xvel0[i + grid.pitch + 1]};
    v = {v.upper_left, v.upper_right, yvel0[i + grid.pitch], yvel0[i + grid.pitch + 1]};
    const double here = density0[i], energy_here = energy0[i], viscosity_here = viscosity[i];
    const Compressed half = compress(grid, 0.5 * dt, here, energy_here,
                                     pressure_of(here, energy_here) + viscosity_here, u + u, v + v);
    const double stress_here = pressure_of(half.density, half.energy) + viscosity_here;
    density = {density.upper_left, density.upper_right, of_previous_lane(here), here};
    stress = {stress.upper_left, stress.upper_right, of_previous_lane(stress_here), stress_here};
    // [end]
    if (y >= strip.first_row) {
      const Velocity change = accelerate_by(grid, dt, density, stress);
      const double xvel = u.lower_left + change.x, yvel = v.lower_left + change.y;
      const double twice_x = u.lower_left + xvel, twice_y = v.lower_left + yvel;
      twice_u = {twice_u.upper_left, twice_u.upper_right, twice_x, of_next_lane(twice_x)};
      twice_v = {twice_v.upper_left, twice_v.upper_right, twice_y, of_next_lane(twice_y)};
      if (strip.is_own && (y < strip.end_row || y == grid.ny)) {
        xvel1[i] = xvel;
        yvel1[i] = yvel;
        if (x < grid.nx)
          vol_flux_y[i] = face_flux(grid.dx, dt, twice_v.upper_left, twice_v.upper_right);
      }
      if (strip.is_own && y > strip.first_row) {
        const std::ptrdiff_t below = i - grid.pitch;
        vol_flux_x[below] = face_flux(grid.dy, dt, twice_u.lower_left, twice_u.upper_left);
        if (x < grid.nx) {
          const Compressed after =
              compress(grid, dt, density.lower_right, energy, stress.lower_right, twice_u, twice_v);
          density1[below] = after.density;
          energy1[below] = after.energy;
        }
      }
    }
    energy = energy_here;
  }
}
