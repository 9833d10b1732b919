// Fused kernels of the ladder: a sweep of the cells in one pass, and one of the momentum, each from
// one set of fields to another one. Along x a lane gets from its neighbours what they compute;
// along y it goes with the sweep, and keeps what it has computed for the row below.
#pragma once

#include "lessons/17-cloverleaf/advection.hpp"
#include "lessons/17-cloverleaf/fused.hpp"

// A field in four elements in line; flow goes from the second to the third, or back.
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

// A cell after a sweep, from what flows in through its first face and out through its second one.
struct Gas {
  double density, energy;
};
inline __device__ Gas advected(double density, double energy, const Volumes &volume,
                               const Fluxes &in, const Fluxes &out) {
  const double before = density * volume.before, mass = before + (in.mass - out.mass);
  return {mass / volume.after, (energy * before + (in.energy - out.energy)) / mass};
}

// cell_fluxes and advect_cells.
using CellsStripX = Strip<31>; // the last lane has only a face
__global__ void cells_fused_x(Grid grid, bool is_first, const double *__restrict__ density,
                              const double *__restrict__ energy,
                              const double *__restrict__ flux_along,
                              const double *__restrict__ flux_across,
                              double *__restrict__ new_density, double *__restrict__ new_energy,
                              double *__restrict__ mass_flux) {
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
__global__ void cells_fused_y(Grid grid, bool is_first, const double *__restrict__ density,
                              const double *__restrict__ energy,
                              const double *__restrict__ flux_along,
                              const double *__restrict__ flux_across,
                              double *__restrict__ new_density, double *__restrict__ new_energy,
                              double *__restrict__ mass_flux) {
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

// The momentum that flows from the second node to the third, of both components.
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

// node_masses, and momentum_flux and advect_momentum of both components.
using MomentumStripX = Strip<30, 1>; // the first lane has the node before, the last one that behind
__global__ void momentum_fused_x(Grid grid, bool is_first, const double *__restrict__ density,
                                 const double *__restrict__ flux_across,
                                 const double *__restrict__ mass_flux,
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
__global__ void momentum_fused_y(Grid grid, bool is_first, const double *__restrict__ density,
                                 const double *__restrict__ flux_across,
                                 const double *__restrict__ mass_flux,
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
