// How long each kernel takes by itself, plain and fused, beside a copy.
#pragma once

#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "lessons/17-cloverleaf/rungs.hpp"

#include <string>

class KernelTimes {
public:
  // copy_rate: bytes per second. is_shown: on one rank; the others only compute.
  KernelTimes(Chunk &chunk, double dt, double copy_rate, bool is_shown)
      : chunk(chunk), dt(dt), copy_rate(copy_rate), is_shown(is_shown) {}

  void plain() const {
    measure("ideal_gas", 4, [&] {
      ideal_gas<<<cells, threads>>>(grid, f.density0, f.energy0, f.pressure, f.sound_speed);
    });
    measure("viscosity", 5, [&] {
      viscosity<<<cells, threads>>>(grid, f.density0, f.pressure, f.xvel0, f.yvel0, f.viscosity);
    });
    measure("time_step", 5, [&] {
      time_step<<<few, threads>>>(grid, f.density0, f.sound_speed, f.viscosity, f.xvel0, f.yvel0,
                                  chunk.d_least);
    });
    measure("pdv, predictor", 8, [&] {
      pdv<<<cells, threads>>>(grid, 0.5 * dt, f.density0, f.energy0, f.pressure, f.viscosity,
                              f.xvel0, f.xvel0, f.yvel0, f.yvel0, f.density1, f.energy1);
    });
    measure("accelerate", 7, [&] {
      accelerate<<<nodes, threads>>>(grid, dt, f.density0, f.pressure, f.viscosity, f.xvel0,
                                     f.yvel0, f.xvel1, f.yvel1);
    });
    measure("pdv, corrector", 10, [&] {
      pdv<<<cells, threads>>>(grid, dt, f.density0, f.energy0, f.pressure, f.viscosity, f.xvel0,
                              f.xvel1, f.yvel0, f.yvel1, f.density1, f.energy1);
    });
    measure("flux", 6, [&] {
      flux<<<nodes, threads>>>(grid, dt, f.xvel0, f.xvel1, f.yvel0, f.yvel1, f.vol_flux_x,
                               f.vol_flux_y);
    });
    for (const Sweep &sweep : {x_sweep, y_sweep})
      plain_sweep(sweep);
  }

  void fused() {
    measure("gas_fused", 5, [&] {
      gas_fused<<<few, threads>>>(grid, f.density0, f.energy0, f.xvel0, f.yvel0, nullptr,
                                  f.viscosity, chunk.d_least);
    });
    measure("lagrange_fused", 11, [&] { lagrangian_step_fused(chunk, dt); });
    for (const Sweep &sweep : {x_sweep, y_sweep}) {
      const int across = sweep.is_first; // only the first sweep reads the flux across
      measure(name("cells_fused", sweep), 6 + across, [&] { sweep_cells_fused(chunk, sweep); });
      measure(name("momentum_fused", sweep), 6 + across,
              [&] { sweep_momentum_fused(chunk, sweep); });
    }
  }

private:
  static std::string name(const char *kernel, const Sweep &sweep) {
    return kernel + std::string(sweep.along_x ? ", x" : ", y");
  }

  void plain_sweep(const Sweep &sweep) const {
    const SweepFluxes flux(f, sweep);
    const int across = sweep.is_first;
    measure(name("cell_fluxes", sweep), 5 + across, [&] {
      cell_fluxes<<<nodes, threads>>>(grid, sweep, f.density1, f.energy1, flux.along, flux.across,
                                      flux.mass.values, f.work[0]);
    });
    measure(name("advect_cells", sweep), 7 + across, [&] {
      advect_cells<<<cells, threads>>>(grid, sweep, flux.along, flux.across, flux.mass.values,
                                       f.work[0], f.density1, f.energy1);
    });
    measure(name("node_masses", sweep), 5 + across, [&] {
      node_masses<<<nodes, threads>>>(grid, sweep, f.density1, flux.across, flux.mass.values,
                                      f.work[0], f.work[1], f.work[2]);
    });
    measure(name("momentum_flux", sweep), 4, [&] {
      momentum_flux<<<nodes, threads>>>(grid, sweep, f.work[0], f.work[1], f.xvel1, f.work[3]);
    });
    measure(name("advect_momentum", sweep), 5, [&] {
      advect_momentum<<<nodes, threads>>>(grid, sweep, f.work[3], f.work[1], f.work[2], f.xvel1);
    });
  }

  // doubles: loaded and stored per cell, each field once.
  template <class Launch> void measure(const std::string &name, int doubles, Launch launch) const {
    const double seconds = course::gpu_seconds(course::size(5, 1), [&] {
      launch();
      CUDA_CHECK(cudaGetLastError());
    });
    const double rate = sizeof(double) * doubles * double(grid.nx) * grid.ny / seconds;
    if (is_shown)
      course::figure(name.c_str(), 1e-9 * rate, "GB/s", 1e-9 * copy_rate, "the copy's", seconds);
  }

  Chunk &chunk;
  const double dt, copy_rate;
  const bool is_shown;
  const Grid &grid = chunk.grid;
  const Fields &f = chunk.f;
  const Sweep x_sweep{grid, true, true}, y_sweep{grid, false, false};
  const dim3 threads = block_shape(), cells = blocks_for(grid.nx, grid.ny);
  const dim3 nodes = blocks_for(grid.nx + 1, grid.ny + 1), few = few_blocks_for(grid.nx, grid.ny);
};
