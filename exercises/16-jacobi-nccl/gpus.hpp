// What the exercises of lesson 16 share: all GPUs of this machine in one process, each a rank of
// NCCL with some rows of the mesh. The host has one thread, which works for all of them.
#pragma once

#include "common/check.hpp"
#include "common/nccl.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

// A GPU, and its part of the mesh: `count` rows of nx cells, with `halo` rows of its neighbours
// above and below. Row 0 of an array is the first one of the halo above.
struct Gpu {
  int rank;                     // of the GPU, and its number as a device
  int previous_rank, next_rank; // a ring: after the last rank comes rank 0
  ncclComm_t comm;
  cudaStream_t stream;
  int nx, halo, first, count; // first: of its rows, in the mesh
  float *d_now, *d_next;      // on this GPU, count + 2 * halo rows each
  double *d_squares;          // on this GPU

  float *row(float *array, int number) const { return array + std::size_t(nx) * number; }
  std::size_t bytes(int rows) const { return sizeof(float) * nx * rows; }
};

// Distributes the rows of a mesh over the GPUs, at least `halo` rows to each.
inline std::vector<Gpu> distribute(int nx, int ny, int halo, const float *mesh) {
  int devices = 0;
  CUDA_CHECK(cudaGetDeviceCount(&devices));
  const int ranks = std::min(devices, ny / halo);
  std::vector<ncclComm_t> comms(ranks);
  NCCL_CHECK(ncclCommInitAll(comms.data(), ranks, nullptr)); // rank r has device r
  std::vector<Gpu> gpus(ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    Gpu &gpu = gpus[rank];
    gpu.rank = rank;
    gpu.previous_rank = (rank + ranks - 1) % ranks;
    gpu.next_rank = (rank + 1) % ranks;
    gpu.comm = comms[rank];
    gpu.nx = nx;
    gpu.halo = halo;
    gpu.first = int((long long)ny * rank / ranks);
    gpu.count = int((long long)ny * (rank + 1) / ranks) - gpu.first;
    CUDA_CHECK(cudaSetDevice(rank));
    CUDA_CHECK(cudaStreamCreate(&gpu.stream));
    CUDA_CHECK(cudaMalloc(&gpu.d_now, gpu.bytes(gpu.count + 2 * halo)));
    CUDA_CHECK(cudaMalloc(&gpu.d_next, gpu.bytes(gpu.count + 2 * halo)));
    CUDA_CHECK(cudaMalloc(&gpu.d_squares, sizeof *gpu.d_squares));
    CUDA_CHECK(cudaMemcpyAsync(gpu.row(gpu.d_now, halo), mesh + std::size_t(nx) * gpu.first,
                               gpu.bytes(gpu.count), cudaMemcpyHostToDevice, gpu.stream));
  }
  return gpus;
}

// Copies all rows back to the mesh, and frees what the GPUs have.
inline void collect(const std::vector<Gpu> &gpus, float *mesh) {
  for (const Gpu &gpu : gpus)
    CUDA_CHECK(cudaMemcpyAsync(mesh + std::size_t(gpu.nx) * gpu.first, gpu.row(gpu.d_now, gpu.halo),
                               gpu.bytes(gpu.count), cudaMemcpyDeviceToHost, gpu.stream));
  for (const Gpu &gpu : gpus) {
    CUDA_CHECK(cudaSetDevice(gpu.rank));
    CUDA_CHECK(cudaStreamSynchronize(gpu.stream)); // errors of all that the stream did show here
    CUDA_CHECK(cudaFree(gpu.d_now));
    CUDA_CHECK(cudaFree(gpu.d_next));
    CUDA_CHECK(cudaFree(gpu.d_squares));
    CUDA_CHECK(cudaStreamDestroy(gpu.stream));
    NCCL_CHECK(ncclCommDestroy(gpu.comm));
  }
  CUDA_CHECK(cudaSetDevice(0));
}

// One Jacobi step of the whole mesh on the host, for the programs' own tests. Returns its residual:
// the square root of the sum of all cells' squared changes.
inline double step_on_host(int nx, int ny, std::vector<float> &mesh) {
  const std::vector<float> old = mesh;
  double squares = 0;
  for (int y = 0; y < ny; ++y) {
    const float *const row = &old[std::size_t(nx) * y];
    const float *const above = &old[std::size_t(nx) * ((y + ny - 1) % ny)];
    const float *const below = &old[std::size_t(nx) * ((y + 1) % ny)];
    for (int x = 1; x < nx - 1; ++x) {
      float &cell = mesh[std::size_t(nx) * y + x];
      cell = 0.25f * (row[x - 1] + row[x + 1] + above[x] + below[x]);
      squares += (double(cell) - row[x]) * (double(cell) - row[x]);
    }
  }
  return std::sqrt(squares);
}
