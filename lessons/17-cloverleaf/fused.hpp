// The fused kernels: each does the work of several kernels of kernels.hpp in one pass over memory.
// They evaluate the same equations in the same order, so they give the same bits.
#pragma once

#include "common/check.hpp"
#include "lessons/17-cloverleaf/kernels.hpp"
#include "lessons/17-cloverleaf/step.hpp"

#include <cstddef>
#include <utility>

// Ideal gas, viscosity and time step. The pressure is cheap, so each thread computes the pressure
// of its neighbours again. The nearest ghost cells are included, so the viscosity needs no halo
// update. pressure may be nullptr if no kernel needs it.
static __global__ void gas_fused(Grid grid, const double *__restrict__ density,
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

// The kernels below work in strips: a warp goes up a strip of the mesh, row by row, one lane per
// column. Values of the row below stay in registers; values of the next columns come by shuffles.
// So no warp waits for another one. Only `useful` lanes have a column of their own. The first
// `before` lanes and the last ones compute what those need.
constexpr int strip_rows = 32;
inline dim3 strip_threads() { return dim3(32, 4); } // four strips side by side

template <int useful, int before = 0> struct Strip {
  int column, first_row, end_row;
  bool is_own; // this lane has a column of its own

  __device__ Strip(int columns, int rows) {
    const int strip = blockIdx.x * blockDim.y + threadIdx.y, lane = int(threadIdx.x) - before;
    column = strip * useful + lane;
    first_row = blockIdx.y * strip_rows;
    end_row = min(first_row + strip_rows, rows);
    is_own = lane >= 0 && lane < useful && column < columns;
  }
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

// The Lagrangian step: predictor, ideal gas, acceleration, corrector and volume fluxes. A lane
// computes the cell and the node of its column, from the previous cell and the next node.
using LagrangeStrip = Strip<30, 1>;
static __global__ void
lagrange_fused(Grid grid, double dt, const double *__restrict__ density0,
               const double *__restrict__ energy0, const double *__restrict__ viscosity,
               const double *__restrict__ xvel0, const double *__restrict__ yvel0,
               double *__restrict__ density1, double *__restrict__ energy1,
               double *__restrict__ xvel1, double *__restrict__ yvel1,
               double *__restrict__ vol_flux_x, double *__restrict__ vol_flux_y) {
  const LagrangeStrip strip(grid.nx + 1, grid.ny);
  const int x = min(strip.column, grid.nx);
  std::ptrdiff_t i = grid.at(x, strip.first_row - 1);
  Corners u{}, v{}; // at the cell, before the step
  u.upper_left = xvel0[i], u.upper_right = xvel0[i + 1];
  v.upper_left = yvel0[i], v.upper_right = yvel0[i + 1];
  Corners density{}, stress{};  // around the node
  Corners twice_u{}, twice_v{}; // at the cell below: before + after the step
  double energy = 0;            // in the cell below
  for (int y = strip.first_row - 1; y <= strip.end_row; ++y, i += grid.pitch) {
    u = {u.upper_left, u.upper_right, xvel0[i + grid.pitch], xvel0[i + grid.pitch + 1]};
    v = {v.upper_left, v.upper_right, yvel0[i + grid.pitch], yvel0[i + grid.pitch + 1]};
    const double here = density0[i], energy_here = energy0[i], viscosity_here = viscosity[i];
    const Gas half = compress(grid, 0.5 * dt, here, energy_here,
                              pressure_of(here, energy_here) + viscosity_here, u + u, v + v);
    const double stress_here = pressure_of(half.density, half.energy) + viscosity_here;
    density = {density.upper_left, density.upper_right, of_previous_lane(here), here};
    stress = {stress.upper_left, stress.upper_right, of_previous_lane(stress_here), stress_here};
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
          const Gas after =
              compress(grid, dt, density.lower_right, energy, stress.lower_right, twice_u, twice_v);
          density1[below] = after.density;
          energy1[below] = after.energy;
        }
      }
    }
    energy = energy_here;
  }
}

// A sweep of the cells in one pass, and a sweep of the momentum, each from one set of fields to
// another one. Along x a lane gets its neighbours' results by shuffles. Along y a warp goes with
// the sweep and keeps its results for the next row.

// Four elements of a field in line. The flow goes from the second to the third, or back.
struct Four {
  double first, second, third, fourth;

  __device__ InFlow in_flow(bool is_forward) const {
    return is_forward ? InFlow{first, second, third} : InFlow{fourth, third, second};
  }
  __device__ void shift(double next) { *this = {second, third, fourth, next}; }
};
inline __device__ Four four(const double *field, std::ptrdiff_t second, std::ptrdiff_t stride) {
  return {field[second - stride], field[second], field[second + stride],
          field[second + 2 * stride]};
}

// Through the face between the second and the third cell.
inline __device__ Fluxes fluxes_between(double vol_flux, const Volumes &second,
                                        const Volumes &third, const Four &density,
                                        const Four &energy) {
  const bool is_forward = vol_flux > 0;
  return fluxes_of(vol_flux, is_forward ? second.before : third.before, density.in_flow(is_forward),
                   energy.in_flow(is_forward));
}

// Replaces cell_fluxes and advect_cells.
using CellsStripX = Strip<31>; // the last lane has only a face
static __global__ void
cells_fused_x(Grid grid, bool is_first, const double *__restrict__ density,
              const double *__restrict__ energy, const double *__restrict__ flux_along,
              const double *__restrict__ flux_across, double *__restrict__ new_density,
              double *__restrict__ new_energy, double *__restrict__ mass_flux) {
  const Sweep sweep(grid, true, is_first);
  const CellsStripX strip(grid.nx + 1, grid.ny);
  const int x = min(strip.column, grid.nx);
  std::ptrdiff_t i = grid.at(x, strip.first_row);
  for (int y = strip.first_row; y < strip.end_row; ++y, i += grid.pitch) {
    const Volumes left = volumes_of(grid, sweep, flux_along, flux_across, i - 1);
    const Volumes here = volumes_of(grid, sweep, flux_along, flux_across, i);
    const Fluxes in =
        fluxes_between(flux_along[i], left, here, four(density, i - 1, 1), four(energy, i - 1, 1));
    const Fluxes out{of_next_lane(in.mass), of_next_lane(in.energy)};
    if (strip.is_own)
      mass_flux[i] = in.mass;
    if (strip.is_own && x < grid.nx) {
      const Gas after = advected(density[i], energy[i], here, in, out);
      new_density[i] = after.density;
      new_energy[i] = after.energy;
    }
  }
}

using CellsStripY = Strip<32>;
static __global__ void
cells_fused_y(Grid grid, bool is_first, const double *__restrict__ density,
              const double *__restrict__ energy, const double *__restrict__ flux_along,
              const double *__restrict__ flux_across, double *__restrict__ new_density,
              double *__restrict__ new_energy, double *__restrict__ mass_flux) {
  const Sweep sweep(grid, false, is_first);
  const CellsStripY strip(grid.nx, grid.ny);
  if (!strip.is_own)
    return;
  const std::ptrdiff_t pitch = grid.pitch;
  std::ptrdiff_t i = grid.at(strip.column, strip.first_row);
  Four densities = four(density, i - pitch, pitch);
  Four energies = four(energy, i - pitch, pitch);
  Volumes below = volumes_of(grid, sweep, flux_along, flux_across, i - pitch);
  Fluxes in{};
  for (int y = strip.first_row; y <= strip.end_row; ++y, i += pitch) {
    const Volumes here = volumes_of(grid, sweep, flux_along, flux_across, i);
    const Fluxes out = fluxes_between(flux_along[i], below, here, densities, energies);
    if (y < strip.end_row || y == grid.ny)
      mass_flux[i] = out.mass;
    if (y > strip.first_row) {
      const Gas after = advected(densities.second, energies.second, below, in, out);
      new_density[i - pitch] = after.density;
      new_energy[i - pitch] = after.energy;
    }
    below = here;
    in = out;
    if (y < strip.end_row) {
      densities.shift(density[i + 2 * pitch]);
      energies.shift(energy[i + 2 * pitch]);
    }
  }
}

// Both components of the momentum that flows from the second node to the third.
inline __device__ Velocity momentum_between(const Node &second, double mass_of_third, const Four &u,
                                            const Four &v) {
  const bool is_forward = !(second.flux < 0);
  const double sigma = fabs(second.flux) / (is_forward ? second.mass_before : mass_of_third);
  const auto flux = [&](const InFlow &velocity) {
    return second.flux * at_face(velocity.upwind, velocity.donor, velocity.downwind, sigma, sigma);
  };
  return {flux(u.in_flow(is_forward)), flux(v.in_flow(is_forward))};
}
inline __device__ Velocity advected(double xvel, double yvel, const Node &node, const Velocity &in,
                                    const Velocity &out) {
  return {(xvel * node.mass_before + (in.x - out.x)) / node.mass_after,
          (yvel * node.mass_before + (in.y - out.y)) / node.mass_after};
}

// Replaces node_masses, and momentum_flux and advect_momentum for both components.
using MomentumStripX = Strip<30, 1>; // the first lane has the previous node, the last one the next
static __global__ void
momentum_fused_x(Grid grid, bool is_first, const double *__restrict__ density,
                 const double *__restrict__ flux_across, const double *__restrict__ mass_flux,
                 const double *__restrict__ xvel, const double *__restrict__ yvel,
                 double *__restrict__ new_xvel, double *__restrict__ new_yvel) {
  const Sweep sweep(grid, true, is_first);
  const MomentumStripX strip(grid.nx + 1, grid.ny + 1);
  const int x = min(strip.column, grid.nx + 1);
  std::ptrdiff_t i = grid.at(x, strip.first_row);
  for (int y = strip.first_row; y < strip.end_row; ++y, i += grid.pitch) {
    const Node node = node_of(grid, sweep, density, flux_across, mass_flux, i);
    const double mass_of_next = of_next_lane(node.mass_before);
    Velocity out{};
    if (x <= grid.nx)
      out = momentum_between(node, mass_of_next, four(xvel, i, 1), four(yvel, i, 1));
    const Velocity in{of_previous_lane(out.x), of_previous_lane(out.y)};
    if (strip.is_own) {
      const Velocity after = advected(xvel[i], yvel[i], node, in, out);
      new_xvel[i] = after.x;
      new_yvel[i] = after.y;
    }
  }
}

using MomentumStripY = Strip<32>;
static __global__ void
momentum_fused_y(Grid grid, bool is_first, const double *__restrict__ density,
                 const double *__restrict__ flux_across, const double *__restrict__ mass_flux,
                 const double *__restrict__ xvel, const double *__restrict__ yvel,
                 double *__restrict__ new_xvel, double *__restrict__ new_yvel) {
  const Sweep sweep(grid, false, is_first);
  const MomentumStripY strip(grid.nx + 1, grid.ny + 1);
  if (!strip.is_own)
    return;
  const std::ptrdiff_t pitch = grid.pitch;
  std::ptrdiff_t i = grid.at(strip.column, strip.first_row);
  Four u = four(xvel, i - pitch, pitch), v = four(yvel, i - pitch, pitch);
  Node below = node_of(grid, sweep, density, flux_across, mass_flux, i - pitch);
  Velocity in{};
  for (int y = strip.first_row; y <= strip.end_row; ++y, i += pitch) {
    const Node node = node_of(grid, sweep, density, flux_across, mass_flux, i);
    const Velocity out = momentum_between(below, node.mass_before, u, v);
    if (y > strip.first_row) {
      const Velocity after = advected(u.second, v.second, below, in, out);
      new_xvel[i - pitch] = after.x;
      new_yvel[i - pitch] = after.y;
    }
    below = node;
    in = out;
    if (y < strip.end_row) {
      u.shift(xvel[i + 2 * pitch]);
      v.shift(yvel[i + 2 * pitch]);
    }
  }
}

// The stages of a step with these kernels.

// keeps_pressure: for the plain Lagrangian step, which reads it.
template <bool keeps_pressure> double allowed_time_step_fused(Chunk &chunk, Halo &halo) {
  const Fields &f = chunk.f;
  halo.update({{f.density0, of_cells},
               {f.energy0, of_cells},
               {f.xvel0, x_velocity},
               {f.yvel0, y_velocity}});
  CUDA_CHECK(cudaMemset(chunk.least.data(), 0x7F, chunk.least.bytes())); // a very large number
  gas_fused<<<few_blocks_for(chunk.grid.nx + 2, chunk.grid.ny + 2), block_shape()>>>(
      chunk.grid, f.density0, f.energy0, f.xvel0, f.yvel0, keeps_pressure ? f.pressure : nullptr,
      f.viscosity, chunk.least.data());
  CUDA_CHECK(cudaGetLastError());
  return least_of_ranks(chunk);
}

inline void lagrangian_step_fused(Chunk &chunk, Halo &, double dt) {
  const Fields &f = chunk.f;
  lagrange_fused<<<LagrangeStrip::blocks(chunk.grid.nx + 1, chunk.grid.ny), strip_threads()>>>(
      chunk.grid, dt, f.density0, f.energy0, f.viscosity, f.xvel0, f.yvel0, f.density1, f.energy1,
      f.xvel1, f.yvel1, f.vol_flux_x, f.vol_flux_y);
  CUDA_CHECK(cudaGetLastError());
}

// Not in place: another warp may still need an old value next to its strip.
inline void sweep_cells_fused(Chunk &chunk, const Sweep &sweep) {
  Fields &f = chunk.f;
  const SweepFluxes flux(f, sweep);
  const Grid &grid = chunk.grid;
  const dim3 blocks = sweep.along_x ? CellsStripX::blocks(grid.nx + 1, grid.ny)
                                    : CellsStripY::blocks(grid.nx, grid.ny);
  const auto kernel = sweep.along_x ? cells_fused_x : cells_fused_y;
  kernel<<<blocks, strip_threads()>>>(grid, sweep.is_first, f.density1, f.energy1, flux.along,
                                      flux.across, f.density0, f.energy0, flux.mass.values);
  CUDA_CHECK(cudaGetLastError());
  std::swap(f.density0, f.density1);
  std::swap(f.energy0, f.energy1);
}

inline void sweep_momentum_fused(Chunk &chunk, const Sweep &sweep) {
  Fields &f = chunk.f;
  const SweepFluxes flux(f, sweep);
  const dim3 blocks = sweep.along_x ? MomentumStripX::blocks(chunk.grid.nx + 1, chunk.grid.ny + 1)
                                    : MomentumStripY::blocks(chunk.grid.nx + 1, chunk.grid.ny + 1);
  const auto kernel = sweep.along_x ? momentum_fused_x : momentum_fused_y;
  kernel<<<blocks, strip_threads()>>>(chunk.grid, sweep.is_first, f.density1, flux.across,
                                      flux.mass.values, f.xvel1, f.yvel1, f.xvel0, f.yvel0);
  CUDA_CHECK(cudaGetLastError());
  std::swap(f.xvel0, f.xvel1);
  std::swap(f.yvel0, f.yvel1);
}

constexpr Stages fused = {allowed_time_step_fused<false>, lagrangian_step_fused, sweep_cells_fused,
                          sweep_momentum_fused};
