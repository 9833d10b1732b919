// A step of the gas: its kernels in their order, and the halo updates between them.
#pragma once

#include "common/check.hpp"
#include "common/mpi.hpp"
#include "lessons/17-cloverleaf/halo.hpp"
#include "lessons/17-cloverleaf/kernels.hpp"

// The minimum over all ranks, from the minimum that a kernel has left in chunk.least.
inline double least_of_ranks(const Chunk &chunk) {
  double mine = 0, least = 0;
  CUDA_CHECK(cudaMemcpy(&mine, chunk.least.data(), sizeof mine, cudaMemcpyDeviceToHost));
  MPI_CHECK(MPI_Allreduce(&mine, &least, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD));
  return least;
}

// The longest time step that all cells of all ranks allow; 0 if a value is NaN. Also computes
// pressure and viscosity, which the step needs.
inline double allowed_time_step(Chunk &chunk, Halo &halo) {
  const Grid &grid = chunk.grid;
  const Fields &f = chunk.f;
  const dim3 threads = block_shape(), cells = blocks_for(grid.nx, grid.ny);
  ideal_gas<<<cells, threads>>>(grid, f.density0, f.energy0, f.pressure, f.sound_speed);
  CUDA_CHECK(cudaGetLastError());
  halo.update({{f.density0, of_cells}, {f.pressure, of_cells}});
  viscosity<<<cells, threads>>>(grid, f.density0, f.pressure, f.xvel0, f.yvel0, f.viscosity);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemset(chunk.least.data(), 0x7F, chunk.least.bytes())); // a very large number
  time_step<<<few_blocks_for(grid.nx, grid.ny), threads>>>(
      grid, f.density0, f.sound_speed, f.viscosity, f.xvel0, f.yvel0, chunk.least.data());
  CUDA_CHECK(cudaGetLastError());
  return least_of_ranks(chunk);
}

// The mesh moves with the gas.
inline void lagrangian_step(Chunk &chunk, Halo &halo, double dt) {
  const Grid &grid = chunk.grid;
  const Fields &f = chunk.f;
  const dim3 threads = block_shape(), cells = blocks_for(grid.nx, grid.ny);
  const dim3 nodes = blocks_for(grid.nx + 1, grid.ny + 1);
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
}

// The volume fluxes along the axis of a sweep and across it, and the mass flux along it.
struct SweepFluxes {
  double *along, *across;
  HaloField mass;

  SweepFluxes(const Fields &f, const Sweep &sweep)
      : along(sweep.along_x ? f.vol_flux_x : f.vol_flux_y),
        across(sweep.along_x ? f.vol_flux_y : f.vol_flux_x),
        mass(sweep.along_x ? HaloField{f.mass_flux_x, x_flux} : HaloField{f.mass_flux_y, y_flux}) {}
};

// The cells go back along one axis: mass and energy. density1 and energy1 need their halo.
inline void sweep_cells(Chunk &chunk, const Sweep &sweep) {
  const Grid &grid = chunk.grid;
  const Fields &f = chunk.f;
  const SweepFluxes flux(f, sweep);
  const dim3 threads = block_shape();
  double *const energy_flux = f.work[0];
  cell_fluxes<<<blocks_for(grid.nx + 1, grid.ny + 1), threads>>>(
      grid, sweep, f.density1, f.energy1, flux.along, flux.across, flux.mass.values, energy_flux);
  CUDA_CHECK(cudaGetLastError());
  advect_cells<<<blocks_for(grid.nx, grid.ny), threads>>>(
      grid, sweep, flux.along, flux.across, flux.mass.values, energy_flux, f.density1, f.energy1);
  CUDA_CHECK(cudaGetLastError());
}

// The same for the momentum. density1, the velocities and the mass flux need their halo.
inline void sweep_momentum(Chunk &chunk, const Sweep &sweep) {
  const Grid &grid = chunk.grid;
  const Fields &f = chunk.f;
  const SweepFluxes flux(f, sweep);
  const dim3 threads = block_shape(), nodes = blocks_for(grid.nx + 1, grid.ny + 1);
  const dim3 around = blocks_for(grid.nx + 3, grid.ny + 3); // one more at each end
  double *const node_flux = f.work[0], *const before = f.work[1], *const after = f.work[2];
  node_masses<<<around, threads>>>(grid, sweep, f.density1, flux.across, flux.mass.values,
                                   node_flux, before, after);
  CUDA_CHECK(cudaGetLastError());
  for (double *velocity : {f.xvel1, f.yvel1}) {
    momentum_flux<<<around, threads>>>(grid, sweep, node_flux, before, velocity, f.work[3]);
    CUDA_CHECK(cudaGetLastError());
    advect_momentum<<<nodes, threads>>>(grid, sweep, f.work[3], before, after, velocity);
    CUDA_CHECK(cudaGetLastError());
  }
}

// The four stages of a step. fused.hpp has others, with the same results.
struct Stages {
  double (*allowed_time_step)(Chunk &, Halo &);
  void (*lagrangian_step)(Chunk &, Halo &, double dt);
  void (*sweep_cells)(Chunk &, const Sweep &);
  void (*sweep_momentum)(Chunk &, const Sweep &);
};
constexpr Stages plain = {allowed_time_step, lagrangian_step, sweep_cells, sweep_momentum};

inline void hydro_step(Chunk &chunk, Halo &halo, double dt, bool x_first,
                       const Stages &stages = plain) {
  Fields &f = chunk.f;
  stages.lagrangian_step(chunk, halo, dt);
  halo.update({{f.density1, of_cells},
               {f.energy1, of_cells},
               {f.vol_flux_x, x_flux},
               {f.vol_flux_y, y_flux}});
  for (const Sweep &sweep :
       {Sweep(chunk.grid, x_first, true), Sweep(chunk.grid, !x_first, false)}) {
    stages.sweep_cells(chunk, sweep);
    halo.update({{f.density1, of_cells},
                 {f.energy1, of_cells},
                 SweepFluxes(f, sweep).mass,
                 {f.xvel1, x_velocity},
                 {f.yvel1, y_velocity}});
    stages.sweep_momentum(chunk, sweep);
  }
  f.swap(); // the new values are the next step's start
}
