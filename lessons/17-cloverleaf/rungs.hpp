// The rungs of the ladder: a step with more and more fused kernels, last with halos by NCCL.
#pragma once

#include "lessons/17-cloverleaf/fused_advection.hpp"
#include "lessons/17-cloverleaf/hydro.hpp"

#include <utility>

// What is fused; without any it is the step of the page's program.
struct Rung {
  const char *name;
  bool gas, lagrange, cells, momentum, nccl; // nccl: halos by NCCL
  int doubles; // that a step moves per cell, if each kernel loads and stores each field once
};
constexpr Rung all_rungs[] = {
    {"plain", false, false, false, false, false, 122},
    {"gas", true, false, false, false, false, 114},
    {"lagrange", true, true, false, false, false, 89},
    {"cells", true, true, true, false, false, 76},
    {"momentum", true, true, true, true, false, 42},
    {"nccl", true, true, true, true, true, 42},
};

inline double allowed_time_step(const Chunk &chunk, Halo &halo, const Rung &rung) {
  if (!rung.gas)
    return allowed_time_step(chunk, halo);
  const Grid &grid = chunk.grid;
  const Fields &f = chunk.f;
  halo.update({{f.density0, of_cells},
               {f.energy0, of_cells},
               {f.xvel0, x_velocity},
               {f.yvel0, y_velocity}});
  CUDA_CHECK(cudaMemset(chunk.d_least, 0x7F, sizeof *chunk.d_least));
  gas_fused<<<few_blocks_for(grid.nx + 2, grid.ny + 2), block_shape()>>>(
      grid, f.density0, f.energy0, f.xvel0, f.yvel0, rung.lagrange ? nullptr : f.pressure,
      f.viscosity, chunk.d_least);
  CUDA_CHECK(cudaGetLastError());
  return least_of_ranks(chunk);
}

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
  const Grid &grid = chunk.grid;
  const dim3 blocks = sweep.along_x ? MomentumStripX::blocks(grid.nx + 1, grid.ny + 1)
                                    : MomentumStripY::blocks(grid.nx + 1, grid.ny + 1);
  const auto kernel = sweep.along_x ? momentum_fused_x : momentum_fused_y;
  kernel<<<blocks, strip_threads()>>>(grid, sweep.is_first, f.density1, flux.across,
                                      flux.mass.values, f.xvel1, f.yvel1, f.xvel0, f.yvel0);
  CUDA_CHECK(cudaGetLastError());
  std::swap(f.xvel0, f.xvel1);
  std::swap(f.yvel0, f.yvel1);
}

inline void lagrangian_step_fused(const Chunk &chunk, double dt) {
  const Fields &f = chunk.f;
  lagrange_fused<<<LagrangeStrip::blocks(chunk.grid.nx + 1, chunk.grid.ny), strip_threads()>>>(
      chunk.grid, dt, f.density0, f.energy0, f.viscosity, f.xvel0, f.yvel0, f.density1, f.energy1,
      f.xvel1, f.yvel1, f.vol_flux_x, f.vol_flux_y);
  CUDA_CHECK(cudaGetLastError());
}

inline void hydro_step(Chunk &chunk, Halo &halo, double dt, bool x_first, const Rung &rung) {
  if (rung.lagrange)
    lagrangian_step_fused(chunk, dt);
  else
    lagrangian_step(chunk, halo, dt);
  halo.update({{chunk.f.density1, of_cells},
               {chunk.f.energy1, of_cells},
               {chunk.f.vol_flux_x, x_flux},
               {chunk.f.vol_flux_y, y_flux}});
  for (const Sweep &sweep :
       {Sweep(chunk.grid, x_first, true), Sweep(chunk.grid, !x_first, false)}) {
    if (rung.cells)
      sweep_cells_fused(chunk, sweep);
    else
      sweep_cells(chunk, sweep);
    update_halo_of_sweep(chunk.f, halo, sweep);
    if (rung.momentum)
      sweep_momentum_fused(chunk, sweep);
    else
      sweep_momentum(chunk, sweep);
  }
  change_names(chunk.f);
}
