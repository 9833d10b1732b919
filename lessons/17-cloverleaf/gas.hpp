// The kernels before a step: ideal gas, viscosity, time step. One thread per cell.
#pragma once

#include "lessons/17-cloverleaf/equations.hpp"

#include <algorithm>

// Blocks of 64 x 4 threads: each row of a block is two warps, whose loads are contiguous.
inline dim3 block_shape() { return dim3(64, 4); }
inline dim3 blocks_for(int columns, int rows) {
  const dim3 block = block_shape();
  return dim3((columns + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
}
// For kernels in which each thread takes many cells of a column: at most about 4096 blocks.
inline dim3 few_blocks_for(int columns, int rows) {
  const dim3 blocks = blocks_for(columns, rows);
  return dim3(blocks.x, std::min(blocks.y, std::max(1u, 4096 / blocks.x)));
}

// [ideal-gas]
__global__ void ideal_gas(Grid grid, const double *density, const double *energy, double *pressure,
                          double *sound_speed) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= grid.nx || y >= grid.ny)
    return;
  const std::ptrdiff_t i = grid.at(x, y);
  const double p = pressure_of(density[i], energy[i]);
  pressure[i] = p;
  sound_speed[i] = sound_speed_of(density[i], p);
}
// [end]

// Needs the pressure of the nearest ghost cells.
__global__ void viscosity(Grid grid, const double *density, const double *pressure,
                          const double *xvel, const double *yvel, double *viscosity) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= grid.nx || y >= grid.ny)
    return;
  const std::ptrdiff_t i = grid.at(x, y);
  viscosity[i] = viscosity_of(grid, density[i], corners(xvel, i, grid.pitch),
                              corners(yvel, i, grid.pitch), pressure[i - 1], pressure[i + 1],
                              pressure[i - grid.pitch], pressure[i + grid.pitch]);
}

// The minimum of a number over the block's threads goes to *least by an atomic. A double that is
// not negative has the order of its bits, and only whole numbers have an atomicMin.
// [minimum]
inline __device__ void minimum_of_block(double value, unsigned long long *least) {
  __shared__ double of_warps[32];
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  const int warps = blockDim.x * blockDim.y / 32;
  for (int away = 16; away > 0; away /= 2)
    value = fmin(value, __shfl_down_sync(0xFFFFFFFFu, value, away));
  if (thread % 32 == 0)
    of_warps[thread / 32] = value;
  __syncthreads();
  if (thread > 0)
    return;
  for (int warp = 1; warp < warps; ++warp)
    value = fmin(value, of_warps[warp]);
  atomicMin(least, (unsigned long long)__double_as_longlong(value));
}
// [end]

// Each thread takes many cells of a column: so there are few atomics.
__global__ void time_step(Grid grid, const double *density, const double *sound_speed,
                          const double *viscosity, const double *xvel, const double *yvel,
                          unsigned long long *least) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  double dt = unlimited;
  if (x < grid.nx)
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < grid.ny; y += gridDim.y * blockDim.y) {
      const std::ptrdiff_t i = grid.at(x, y);
      dt = fmin(dt, time_step_of(grid, density[i], sound_speed[i], viscosity[i],
                                 corners(xvel, i, grid.pitch), corners(yvel, i, grid.pitch)));
    }
  minimum_of_block(dt, least);
}
