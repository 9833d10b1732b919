// Fused kernels of the ladder: a sweep of the cells in one pass, and one of the momentum, each from
// one set of fields to another one. What they share beside a tile two blocks compute.
#pragma once

#include "lessons/17-cloverleaf/advection.hpp"
#include "lessons/17-cloverleaf/fused.hpp"

// cell_fluxes and advect_cells. The fluxes through the faces of a tile lie in shared memory.
template <bool along_x>
__global__ void
cells_fused(Grid grid, Sweep sweep, const double *__restrict__ density,
            const double *__restrict__ energy, const double *__restrict__ flux_along,
            const double *__restrict__ flux_across, double *__restrict__ new_density,
            double *__restrict__ new_energy, double *__restrict__ mass_flux) {
  constexpr int more_x = along_x, more_y = !along_x, width = tile_x + more_x;
  constexpr int along = along_x ? 1 : width;
  __shared__ double mass[width * (tile_y + more_y)], heat[width * (tile_y + more_y)];
  const int first_x = blockIdx.x * tile_x, first_y = blockIdx.y * tile_y;
  for_box<0, tile_x + more_x, 0, tile_y + more_y>([&](int dx, int dy, int place) {
    const int x = first_x + dx, y = first_y + dy;
    if (x >= grid.nx + more_x || y >= grid.ny + more_y)
      return;
    const std::ptrdiff_t i = grid.at(x, y);
    const Fluxes fluxes = fluxes_of(grid, sweep, density, energy, flux_along, flux_across, i);
    mass[place] = fluxes.mass;
    heat[place] = fluxes.energy;
    // A face between two tiles belongs to the second one, where there is one.
    if ((dx < tile_x || x == grid.nx) && (dy < tile_y || y == grid.ny))
      mass_flux[i] = fluxes.mass;
  });
  __syncthreads();
  const int x = first_x + threadIdx.x, y = first_y + threadIdx.y;
  if (x >= grid.nx || y >= grid.ny)
    return;
  const std::ptrdiff_t i = grid.at(x, y);
  const int place = threadIdx.y * width + threadIdx.x, next = place + along;
  const Volumes volume = volumes_of(grid, sweep, flux_along, flux_across, i);
  const double mass_before = density[i] * volume.before;
  const double mass_after = mass_before + (mass[place] - mass[next]);
  new_energy[i] = (energy[i] * mass_before + (heat[place] - heat[next])) / mass_after;
  new_density[i] = mass_after / volume.after;
}

// node_masses, and momentum_flux and advect_momentum of both components. Nodes lie in shared memory
// with one more at each end of the tile along the axis, fluxes with one more before the first.
template <bool along_x>
__global__ void momentum_fused(Grid grid, Sweep sweep, const double *__restrict__ density,
                               const double *__restrict__ flux_across,
                               const double *__restrict__ mass_flux,
                               const double *__restrict__ xvel, const double *__restrict__ yvel,
                               double *__restrict__ new_xvel, double *__restrict__ new_yvel) {
  constexpr int more_x = along_x, more_y = !along_x;
  constexpr int width = tile_x + 2 * more_x, along = along_x ? 1 : width;
  constexpr int size = width * (tile_y + 2 * more_y), origin = along; // place of the first node
  __shared__ double flux[size], before[size], after[size], x_momentum[size], y_momentum[size];
  const int first_x = blockIdx.x * tile_x, first_y = blockIdx.y * tile_y;
  for_box<-more_x, tile_x + more_x, -more_y, tile_y + more_y>([&](int dx, int dy, int place) {
    const int x = first_x + dx, y = first_y + dy;
    if (x > grid.nx + more_x || y > grid.ny + more_y)
      return;
    const Node node = node_of(grid, sweep, density, flux_across, mass_flux, grid.at(x, y));
    flux[place] = node.flux;
    before[place] = node.mass_before;
    after[place] = node.mass_after;
  });
  __syncthreads();
  for_box<-more_x, tile_x, -more_y, tile_y>([&](int dx, int dy, int) {
    const int x = first_x + dx, y = first_y + dy, place = origin + dy * width + dx;
    if (x > grid.nx || y > grid.ny)
      return;
    const std::ptrdiff_t i = grid.at(x, y);
    const double mass = flux[place];
    const double sigma = fabs(mass) / before[mass < 0 ? place + along : place];
    x_momentum[place] = momentum_flux_of(mass, sigma, xvel, i, sweep.along);
    y_momentum[place] = momentum_flux_of(mass, sigma, yvel, i, sweep.along);
  });
  __syncthreads();
  const int x = first_x + threadIdx.x, y = first_y + threadIdx.y;
  if (x > grid.nx || y > grid.ny)
    return;
  const std::ptrdiff_t i = grid.at(x, y);
  const int place = origin + threadIdx.y * width + threadIdx.x;
  new_xvel[i] =
      (xvel[i] * before[place] + (x_momentum[place - along] - x_momentum[place])) / after[place];
  new_yvel[i] =
      (yvel[i] * before[place] + (y_momentum[place - along] - y_momentum[place])) / after[place];
}
