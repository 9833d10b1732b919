// The field summary: volume, mass, pressure, internal and kinetic energy of the whole mesh.
#pragma once

#include "common/mpi.hpp"
#include "lessons/17-cloverleaf/gas.hpp"

#include <array>
#include <vector>

// A sum in two doubles: `low` is what rounding would have taken from `high`. So all orders of the
// same summands end in the same double, up to very rare cases, and the summary has the same digits
// for any number of ranks.
struct Sum {
  double high, low;

  __host__ __device__ void add(double value) { // Knuth's two-sum
    const double sum = high + value, of_value = sum - high;
    low += (high - (sum - of_value)) + (value - of_value);
    high = sum;
  }
  __host__ __device__ void add(const Sum &other) {
    add(other.high);
    low += other.low;
  }
  double value() const { return high + low; }
};

// Volumes and masses are those of cells; density and pressure in the printed table are means.
struct Summary {
  double mass, pressure, internal_energy, kinetic_energy; // pressure: times volume
  double total_energy() const { return internal_energy + kinetic_energy; }
};
constexpr int sums = 4;

// Each block writes its sums: the warps add by shuffles, then one thread for each sum adds what the
// warps have.
__global__ void summarise(Grid grid, const double *density, const double *energy,
                          const double *pressure, const double *xvel, const double *yvel,
                          Sum *of_blocks) {
  __shared__ Sum of_warps[sums][32];
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  const int warps = blockDim.x * blockDim.y / 32;
  Sum sum[sums] = {};
  if (x < grid.nx)
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < grid.ny; y += gridDim.y * blockDim.y) {
      const std::ptrdiff_t i = grid.at(x, y);
      const Corners u = corners(xvel, i, grid.pitch), v = corners(yvel, i, grid.pitch);
      const double mass = grid.volume * density[i];
      sum[0].add(mass);
      sum[1].add(grid.volume * pressure[i]);
      sum[2].add(mass * energy[i]);
      sum[3].add(0.5 * mass * (0.25 * ((u * u).sum() + (v * v).sum())));
    }
  for (int k = 0; k < sums; ++k) {
    for (int away = 16; away > 0; away /= 2) {
      Sum other;
      other.high = __shfl_down_sync(0xFFFFFFFFu, sum[k].high, away);
      other.low = __shfl_down_sync(0xFFFFFFFFu, sum[k].low, away);
      sum[k].add(other);
    }
    if (thread % 32 == 0)
      of_warps[k][thread / 32] = sum[k];
  }
  __syncthreads();
  if (thread >= sums)
    return;
  Sum all = {0, 0};
  for (int warp = 0; warp < warps; ++warp)
    all.add(of_warps[thread][warp]);
  of_blocks[(blockIdx.y * gridDim.x + blockIdx.x) * sums + thread] = all;
}

// Over all ranks; the same on each.
inline Summary summary_of(const course::Ranks &ranks, const Chunk &chunk) {
  const Fields &f = chunk.f;
  ideal_gas<<<blocks_for(chunk.grid.nx, chunk.grid.ny), block_shape()>>>(
      chunk.grid, f.density0, f.energy0, f.pressure, f.sound_speed);
  CUDA_CHECK(cudaGetLastError());
  const dim3 blocks = few_blocks_for(chunk.grid.nx, chunk.grid.ny);
  std::vector<Sum> of_blocks(sums * blocks.x * blocks.y);
  Sum *d_of_blocks = nullptr;
  CUDA_CHECK(cudaMalloc(&d_of_blocks, of_blocks.size() * sizeof(Sum)));
  summarise<<<blocks, block_shape()>>>(chunk.grid, f.density0, f.energy0, f.pressure, f.xvel0,
                                       f.yvel0, d_of_blocks);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(of_blocks.data(), d_of_blocks, of_blocks.size() * sizeof(Sum),
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_of_blocks));
  std::array<Sum, sums> mine{}, all{};
  for (std::size_t i = 0; i < of_blocks.size(); ++i)
    mine[i % sums].add(of_blocks[i]);
  std::vector<std::array<Sum, sums>> of_ranks(ranks.count);
  MPI_CHECK(MPI_Allgather(&mine, 2 * sums, MPI_DOUBLE, of_ranks.data(), 2 * sums, MPI_DOUBLE,
                          MPI_COMM_WORLD));
  for (const auto &of_rank : of_ranks)
    for (int k = 0; k < sums; ++k)
      all[k].add(of_rank[k]);
  return {all[0].value(), all[1].value(), all[2].value(), all[3].value()};
}
