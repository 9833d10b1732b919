// The kernels of the Lagrangian step, in which the mesh moves with the gas: PdV, acceleration,
// volume flux. One thread per cell or node.
#pragma once

#include "lessons/17-cloverleaf/gas.hpp"

// The gas of each cell is compressed or expands. The predictor goes half a step, dt = half of it,
// with the velocity of the step's start: xvel1 is xvel0. The corrector goes the whole step with the
// mean of that velocity and the new one; it starts from density0 again, so nothing is to revert.
// [pdv]
__global__ void pdv(Grid grid, double dt, const double *density0, const double *energy0,
                    const double *pressure, const double *viscosity, const double *xvel0,
                    const double *xvel1, const double *yvel0, const double *yvel1, double *density1,
                    double *energy1) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= grid.nx || y >= grid.ny)
    return;
  const std::ptrdiff_t i = grid.at(x, y);
  const Corners u = corners(xvel0, i, grid.pitch) + corners(xvel1, i, grid.pitch);
  const Corners v = corners(yvel0, i, grid.pitch) + corners(yvel1, i, grid.pitch);
  const Compressed after =
      compress(grid, dt, density0[i], energy0[i], pressure[i] + viscosity[i], u, v);
  density1[i] = after.density;
  energy1[i] = after.energy;
}
// [end]

// Needs density, pressure and viscosity of the nearest ghost cells.
__global__ void accelerate(Grid grid, double dt, const double *density, const double *pressure,
                           const double *viscosity, const double *xvel0, const double *yvel0,
                           double *xvel1, double *yvel1) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > grid.nx || y > grid.ny)
    return;
  const std::ptrdiff_t i = grid.at(x, y), lower_left = i - grid.pitch - 1;
  const Velocity change = accelerate_by(grid, dt, corners(density, lower_left, grid.pitch),
                                        corners(pressure, lower_left, grid.pitch) +
                                            corners(viscosity, lower_left, grid.pitch));
  xvel1[i] = xvel0[i] + change.x;
  yvel1[i] = yvel0[i] + change.y;
}

// The volume that the moving faces pass over: what advection has to bring back.
__global__ void flux(Grid grid, double dt, const double *xvel0, const double *xvel1,
                     const double *yvel0, const double *yvel1, double *vol_flux_x,
                     double *vol_flux_y) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > grid.nx || y > grid.ny)
    return;
  const std::ptrdiff_t i = grid.at(x, y), above = i + grid.pitch;
  if (y < grid.ny)
    vol_flux_x[i] = face_flux(grid.dy, dt, xvel0[i] + xvel1[i], xvel0[above] + xvel1[above]);
  if (x < grid.nx)
    vol_flux_y[i] = face_flux(grid.dx, dt, yvel0[i] + yvel1[i], yvel0[i + 1] + yvel1[i + 1]);
}
