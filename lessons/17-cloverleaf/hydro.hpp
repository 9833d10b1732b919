// A step of the hydrodynamics: its kernels in their order, one launch for each, and the halo
// updates between them.
#pragma once

#include "lessons/17-cloverleaf/advection.hpp"
#include "lessons/17-cloverleaf/halo.hpp"
#include "lessons/17-cloverleaf/lagrange.hpp"

#include <utility>

// The longest time step that all cells of all ranks allow; 0 where a value is not a number. It also
// computes pressure and viscosity, which the step needs.
inline double allowed_time_step(const Chunk &chunk, Halo &halo) {
  const Grid &grid = chunk.grid;
  const Fields &f = chunk.f;
  const dim3 threads = block_shape(), cells = blocks_for(grid.nx, grid.ny);
  ideal_gas<<<cells, threads>>>(grid, f.density0, f.energy0, f.pressure, f.sound_speed);
  CUDA_CHECK(cudaGetLastError());
  halo.update({{f.density0, of_cells}, {f.pressure, of_cells}});
  viscosity<<<cells, threads>>>(grid, f.density0, f.pressure, f.xvel0, f.yvel0, f.viscosity);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemset(chunk.d_least, 0x7F, sizeof *chunk.d_least)); // a very large number
  time_step<<<few_blocks_for(grid), threads>>>(grid, f.density0, f.sound_speed, f.viscosity,
                                               f.xvel0, f.yvel0, chunk.d_least);
  CUDA_CHECK(cudaGetLastError());
  double mine = 0, least = 0;
  CUDA_CHECK(cudaMemcpy(&mine, chunk.d_least, sizeof mine, cudaMemcpyDeviceToHost));
  MPI_CHECK(MPI_Allreduce(&mine, &least, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD));
  return least;
}

// The mesh moves with the gas.
inline void lagrangian_step(const Chunk &chunk, Halo &halo, double dt) {
  const Grid &grid = chunk.grid;
  const Fields &f = chunk.f;
  const dim3 threads = block_shape(), cells = blocks_for(grid.nx, grid.ny);
  const dim3 nodes = blocks_for(grid.nx + 1, grid.ny + 1);
  // [lagrange]
  pdv<<<cells, threads>>>(grid, 0.5 * dt, f.density0, f.energy0, f.pressure, f.viscosity, f.xvel0,
                          f.xvel0, f.yvel0, f.yvel0, f.density1, f.energy1);
  CUDA_CHECK(cudaGetLastError());
  ideal_gas<<<cells, threads>>>(grid, f.density1, f.energy1, f.pressure, f.sound_speed);
  CUDA_CHECK(cudaGetLastError());
  halo.update({{f.pressure, of_cells}, {f.viscosity, of_cells}});
  accelerate<<<nodes, threads>>>(grid, dt, f.density0, f.pressure, f.viscosity, f.xvel0, f.yvel0,
                                 f.xvel1, f.yvel1);
  CUDA_CHECK(cudaGetLastError());
  pdv<<<cells, threads>>>(grid, dt, f.density0, f.energy0, f.pressure, f.viscosity, f.xvel0,
                          f.xvel1, f.yvel0, f.yvel1, f.density1, f.energy1);
  CUDA_CHECK(cudaGetLastError());
  flux<<<nodes, threads>>>(grid, dt, f.xvel0, f.xvel1, f.yvel0, f.yvel1, f.vol_flux_x,
                           f.vol_flux_y);
  CUDA_CHECK(cudaGetLastError());
  // [end]
}

// The gas of one axis goes back to the cells of the mesh at rest. density1 and energy1 need their
// halo.
inline void advect(const Chunk &chunk, Halo &halo, bool along_x, bool is_first) {
  const Grid &grid = chunk.grid;
  const Fields &f = chunk.f;
  const Sweep sweep(grid, along_x, is_first);
  double *const flux_along = along_x ? f.vol_flux_x : f.vol_flux_y;
  double *const flux_across = along_x ? f.vol_flux_y : f.vol_flux_x;
  double *const mass_flux = along_x ? f.mass_flux_x : f.mass_flux_y;
  const int more_x = along_x, more_y = !along_x;
  const dim3 threads = block_shape(), cells = blocks_for(grid.nx, grid.ny);
  const dim3 nodes = blocks_for(grid.nx + 1, grid.ny + 1);

  double *const energy_flux = f.work[0];
  cell_fluxes<<<nodes, threads>>>(grid, sweep, f.density1, f.energy1, flux_along, flux_across,
                                  mass_flux, energy_flux);
  CUDA_CHECK(cudaGetLastError());
  advect_cells<<<cells, threads>>>(grid, sweep, flux_along, flux_across, mass_flux, energy_flux,
                                   f.density1, f.energy1);
  CUDA_CHECK(cudaGetLastError());
  halo.update({{f.density1, of_cells},
               {f.energy1, of_cells},
               {mass_flux, along_x ? x_flux : y_flux},
               {f.xvel1, x_velocity},
               {f.yvel1, y_velocity}});

  double *const node_flux = f.work[0], *const mass_before = f.work[1],
                *const mass_after = f.work[2];
  const dim3 around = blocks_for(grid.nx + 1 + 2 * more_x, grid.ny + 1 + 2 * more_y);
  node_masses<<<around, threads>>>(grid, sweep, f.density1, flux_across, mass_flux, node_flux,
                                   mass_before, mass_after);
  CUDA_CHECK(cudaGetLastError());
  for (double *velocity : {f.xvel1, f.yvel1}) {
    momentum_flux<<<around, threads>>>(grid, sweep, node_flux, mass_before, velocity, f.work[3]);
    CUDA_CHECK(cudaGetLastError());
    advect_momentum<<<nodes, threads>>>(grid, sweep, f.work[3], mass_before, mass_after, velocity);
    CUDA_CHECK(cudaGetLastError());
  }
}

// One step from the fields in 0 to those in 1, which then change names.
inline void hydro_step(Chunk &chunk, Halo &halo, double dt, bool x_first) {
  Fields &f = chunk.f;
  lagrangian_step(chunk, halo, dt);
  halo.update({{f.density1, of_cells},
               {f.energy1, of_cells},
               {f.vol_flux_x, x_flux},
               {f.vol_flux_y, y_flux}});
  advect(chunk, halo, x_first, true);
  advect(chunk, halo, !x_first, false);
  std::swap(f.density0, f.density1);
  std::swap(f.energy0, f.energy1);
  std::swap(f.xvel0, f.xvel1);
  std::swap(f.yvel0, f.yvel1);
}
