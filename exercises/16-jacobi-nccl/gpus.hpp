// Shared by the exercises of lesson 16: one process with all GPUs of this machine. Every GPU is an
// NCCL rank with some rows of the mesh. One host thread makes the calls of all ranks.
#pragma once

#include "common/check.hpp"
#include "common/nccl.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

// A GPU and its part of the mesh: `count` rows of nx cells, with `halo` rows of its neighbours
// above and below. Row 0 of an array is the first row of the halo above.
struct Gpu {
  int rank;                     // also the index of the device
  int previous_rank, next_rank; // in a ring: rank 0 follows the last rank
  ncclComm_t comm;
  cudaStream_t stream;
  int nx, halo, first, count; // first: the index of its first row in the mesh
  float *d_now, *d_next;      // count + 2 * halo rows each
  double *d_squares;

  float *row(float *array, int y) const { return array + std::size_t(nx) * y; }
  std::size_t bytes(int rows) const { return sizeof(float) * nx * rows; }
};

// Divides the rows of a mesh among the GPUs, with at least `halo` rows per GPU.
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

// Copies all rows back to the mesh, and frees the memory, streams and communicators.
inline void collect(const std::vector<Gpu> &gpus, float *mesh) {
  for (const Gpu &gpu : gpus)
    CUDA_CHECK(cudaMemcpyAsync(mesh + std::size_t(gpu.nx) * gpu.first, gpu.row(gpu.d_now, gpu.halo),
                               gpu.bytes(gpu.count), cudaMemcpyDeviceToHost, gpu.stream));
  for (const Gpu &gpu : gpus) {
    CUDA_CHECK(cudaSetDevice(gpu.rank));
    CUDA_CHECK(cudaStreamSynchronize(gpu.stream)); // errors in the stream's work appear here
    CUDA_CHECK(cudaFree(gpu.d_now));
    CUDA_CHECK(cudaFree(gpu.d_next));
    CUDA_CHECK(cudaFree(gpu.d_squares));
    CUDA_CHECK(cudaStreamDestroy(gpu.stream));
    NCCL_CHECK(ncclCommDestroy(gpu.comm));
  }
  CUDA_CHECK(cudaSetDevice(0));
}

// One Jacobi step of the whole mesh on the host, for the programs' own tests. Returns its residual:
// the square root of the sum of the squares of all changes.
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
