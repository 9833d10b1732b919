// The kernels of the advective remap, which moves the mesh back to where it was: what the gas
// carries over the faces goes to the next cell. In a sweep it goes along one axis; a step has a
// sweep along x and one along y. The kernels know only strides, so they serve both.
#pragma once

#include "lessons/17-cloverleaf/gas.hpp"

struct Sweep {
  bool along_x, is_first;
  std::ptrdiff_t along, across; // from an element to the next one

  __host__ __device__ Sweep(const Grid &grid, bool along_x, bool is_first)
      : along_x(along_x), is_first(is_first), along(along_x ? 1 : grid.pitch),
        across(along_x ? grid.pitch : 1) {}
};

// The volume of a cell before a sweep and after it. The Lagrangian step has moved all its faces:
// the first sweep brings those along its axis back, the second the others.
struct Volumes {
  double before, after;
};
inline __device__ double growth(const double *vol_flux, std::ptrdiff_t i, std::ptrdiff_t stride) {
  return vol_flux[i + stride] - vol_flux[i];
}
inline __device__ double volume_after(const Grid &grid, const Sweep &sweep,
                                      const double *flux_across, std::ptrdiff_t i) {
  return sweep.is_first ? grid.volume + growth(flux_across, i, sweep.across) : grid.volume;
}
inline __device__ Volumes volumes_of(const Grid &grid, const Sweep &sweep, const double *flux_along,
                                     const double *flux_across, std::ptrdiff_t i) {
  const double after = volume_after(grid, sweep, flux_across, i);
  return {after + growth(flux_along, i, sweep.along), after};
}

// The mass and the energy that flow through a face. The donor is the cell that they come from, of
// this volume; the cells before and after it are those in the direction of the flow.
struct Fluxes {
  double mass, energy;
};
struct InFlow {
  double upwind, donor, downwind;
};
inline __device__ Fluxes fluxes_of(double vol_flux, double volume, const InFlow &density,
                                   const InFlow &energy) {
  const double sigma = fabs(vol_flux) / volume; // the part of the donor that flows out
  const double mass =
      vol_flux * at_face(density.upwind, density.donor, density.downwind, sigma, sigma);
  const double share = fabs(mass) / (density.donor * volume);
  return {mass, mass * at_face(energy.upwind, energy.donor, energy.downwind, sigma, share)};
}

// Those of face i, from the fields.
inline __device__ Fluxes fluxes_of(const Grid &grid, const Sweep &sweep, const double *density,
                                   const double *energy, const double *flux_along,
                                   const double *flux_across, std::ptrdiff_t i) {
  const std::ptrdiff_t step = flux_along[i] > 0 ? sweep.along : -sweep.along;
  const std::ptrdiff_t donor = flux_along[i] > 0 ? i - sweep.along : i;
  return fluxes_of(flux_along[i], volumes_of(grid, sweep, flux_along, flux_across, donor).before,
                   {density[donor - step], density[donor], density[donor + step]},
                   {energy[donor - step], energy[donor], energy[donor + step]});
}

// One thread per face. Needs two layers of ghosts.
__global__ void cell_fluxes(Grid grid, Sweep sweep, const double *density, const double *energy,
                            const double *flux_along, const double *flux_across, double *mass_flux,
                            double *energy_flux) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= grid.nx + sweep.along_x || y >= grid.ny + !sweep.along_x)
    return;
  const std::ptrdiff_t i = grid.at(x, y);
  const Fluxes fluxes = fluxes_of(grid, sweep, density, energy, flux_along, flux_across, i);
  mass_flux[i] = fluxes.mass;
  energy_flux[i] = fluxes.energy;
}

// One thread per cell, in place.
// [cells]
__global__ void advect_cells(Grid grid, Sweep sweep, const double *flux_along,
                             const double *flux_across, const double *mass_flux,
                             const double *energy_flux, double *density, double *energy) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= grid.nx || y >= grid.ny)
    return;
  const std::ptrdiff_t i = grid.at(x, y), next = i + sweep.along;
  const Volumes volume = volumes_of(grid, sweep, flux_along, flux_across, i);
  const double mass_before = density[i] * volume.before;
  const double mass = mass_before + (mass_flux[i] - mass_flux[next]);
  energy[i] = (energy[i] * mass_before + (energy_flux[i] - energy_flux[next])) / mass;
  density[i] = mass / volume.after;
}
// [end]

// Around each node lies a cell of its own, which has a quarter of each of the four cells there.
// What flows from node i to the next one is the mean of the mass that flows through the four faces
// around.
struct Node {
  double flux, mass_before, mass_after;
};
inline __device__ double node_flux_of(const Sweep &sweep, const double *mass_flux,
                                      std::ptrdiff_t i) {
  const std::ptrdiff_t next = i + sweep.along;
  return 0.25 * ((mass_flux[i - sweep.across] + mass_flux[next]) +
                 (mass_flux[i] + mass_flux[next - sweep.across]));
}
inline __device__ Node node_of(const Grid &grid, const Sweep &sweep, const double *density,
                               const double *flux_across, const double *mass_flux,
                               std::ptrdiff_t i) {
  const auto mass = [&](std::ptrdiff_t cell) {
    return density[cell] * volume_after(grid, sweep, flux_across, cell);
  };
  const std::ptrdiff_t below = i - grid.pitch;
  const double after = 0.25 * Corners{mass(below - 1), mass(below), mass(i - 1), mass(i)}.sum();
  const double flux = node_flux_of(sweep, mass_flux, i);
  return {flux, after + (flux - node_flux_of(sweep, mass_flux, i - sweep.along)), after};
}

// One thread per node, with one more at each end along the axis.
__global__ void node_masses(Grid grid, Sweep sweep, const double *density,
                            const double *flux_across, const double *mass_flux, double *node_flux,
                            double *mass_before, double *mass_after) {
  const int x = int(blockIdx.x * blockDim.x + threadIdx.x) - sweep.along_x;
  const int y = int(blockIdx.y * blockDim.y + threadIdx.y) - !sweep.along_x;
  if (x > grid.nx + sweep.along_x || y > grid.ny + !sweep.along_x)
    return;
  const std::ptrdiff_t i = grid.at(x, y);
  const Node node = node_of(grid, sweep, density, flux_across, mass_flux, i);
  node_flux[i] = node.flux;
  mass_before[i] = node.mass_before;
  mass_after[i] = node.mass_after;
}

// The momentum that flows from node i to the next one, with the mass node_flux. `stride`: from a
// node to the next one.
inline __device__ double momentum_flux_of(double node_flux, double sigma, const double *velocity,
                                          std::ptrdiff_t i, std::ptrdiff_t stride) {
  const std::ptrdiff_t donor = node_flux < 0 ? i + stride : i;
  const std::ptrdiff_t step = node_flux < 0 ? -stride : stride;
  return node_flux *
         at_face(velocity[donor - step], velocity[donor], velocity[donor + step], sigma, sigma);
}

// One component of the velocity. One thread per node, with one more before the first.
__global__ void momentum_flux(Grid grid, Sweep sweep, const double *node_flux,
                              const double *mass_before, const double *velocity,
                              double *momentum_flux) {
  const int x = int(blockIdx.x * blockDim.x + threadIdx.x) - sweep.along_x;
  const int y = int(blockIdx.y * blockDim.y + threadIdx.y) - !sweep.along_x;
  if (x > grid.nx || y > grid.ny)
    return;
  const std::ptrdiff_t i = grid.at(x, y);
  const double flux = node_flux[i];
  const double sigma = fabs(flux) / mass_before[flux < 0 ? i + sweep.along : i];
  momentum_flux[i] = momentum_flux_of(flux, sigma, velocity, i, sweep.along);
}

__global__ void advect_momentum(Grid grid, Sweep sweep, const double *momentum_flux,
                                const double *mass_before, const double *mass_after,
                                double *velocity) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > grid.nx || y > grid.ny)
    return;
  const std::ptrdiff_t i = grid.at(x, y);
  velocity[i] =
      (velocity[i] * mass_before[i] + (momentum_flux[i - sweep.along] - momentum_flux[i])) /
      mass_after[i];
}
