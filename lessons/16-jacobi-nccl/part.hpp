// The mesh of lesson 15, and the part of it that one rank has on its GPU.
#pragma once

#include "common/check.hpp"
#include "common/verify.hpp"
#include "lessons/16-jacobi-nccl/plain.hpp"

#include <cstddef>
#include <string>
#include <vector>

constexpr int residual_every = 100; // steps from one residual to the next
constexpr double tolerance = 1e-5;  // of the residual: where the iteration ends

struct Mesh {
  int nx, ny, max_steps;
};

// The first row of a rank; that of rank `ranks` is the number of rows. Where they do not divide
// evenly, parts differ by one row.
inline int first_row_of(int rank, int ranks, int ny) { return int((long long)ny * rank / ranks); }

// The part of a rank: `count` rows of the mesh from `first` on, in two arrays on its device. Above
// and below them lie `halo` rows each: copies of the neighbours' nearest rows. With a halo of one
// row, as in lesson 15, row 0 and row count+1 of an array are the halo.
struct Part {
  int nx, first, count, halo;
  int previous_rank, next_rank; // a ring: after the last rank comes rank 0
  int pitch;                    // floats from row to row: each begins at a multiple of 128 bytes
  float *d_now, *d_next;        // on the device, count + 2 * halo rows each
  double *d_squares;            // on the device
  // A row each, on the host, for MPI: two to send, two for the halo. Pinned, so that the copies are
  // fast.
  float *first_row, *last_row, *row_above, *row_below;

  Part(int rank, int ranks, const Mesh &mesh, int halo = 1) : nx(mesh.nx), halo(halo) {
    first = first_row_of(rank, ranks, mesh.ny);
    count = first_row_of(rank + 1, ranks, mesh.ny) - first;
    previous_rank = (rank + ranks - 1) % ranks;
    next_rank = (rank + 1) % ranks;
    pitch = (nx + 31) / 32 * 32;
    CUDA_CHECK(cudaMalloc(&d_now, bytes(count + 2 * halo)));
    CUDA_CHECK(cudaMalloc(&d_next, bytes(count + 2 * halo)));
    CUDA_CHECK(cudaMalloc(&d_squares, sizeof *d_squares));
    for (float **host_row : {&first_row, &last_row, &row_above, &row_below})
      CUDA_CHECK(cudaMallocHost(host_row, bytes(1)));
    start(mesh.ny);
  }
  ~Part() {
    for (void *memory : {(void *)d_now, (void *)d_next, (void *)d_squares})
      cudaFree(memory);
    for (float *host_row : {first_row, last_row, row_above, row_below})
      cudaFreeHost(host_row);
  }
  Part(const Part &) = delete;
  Part &operator=(const Part &) = delete;

  std::size_t bytes(int row_count) const { return sizeof(float) * pitch * row_count; }
  float *row(float *array, int number) const { return array + std::size_t(pitch) * number; }

  void start(int ny) {
    const int row_count = count + 2 * halo;
    const std::vector<float> values = start_values(nx, pitch, ny, first - halo, row_count);
    for (float *array : {d_now, d_next})
      CUDA_CHECK(cudaMemcpy(array, values.data(), bytes(row_count), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d_squares, 0, sizeof *d_squares));
  }
};

// Whether the rows of a part are `expected`, to the last bit: there are neither halo nor padding in
// it. `who` has the part, such as "rank 1".
inline bool prove_rows(const std::string &who, const Part &part, const float *expected) {
  const std::size_t bytes = part.nx * sizeof(float);
  std::vector<float> values(std::size_t(part.count) * part.nx);
  CUDA_CHECK(cudaMemcpy2D(values.data(), bytes, part.row(part.d_now, part.halo), part.bytes(1),
                          bytes, part.count, cudaMemcpyDeviceToHost));
  return course::verify((who + ": cell").c_str(), values.data(), values.size(),
                        [&](std::size_t i) { return double(expected[i]); });
}
