// What both programs of lesson 15 need: the mesh, and the part of it that one rank has on its GPU.
#pragma once

#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/mpi.hpp"
#include "lessons/15-jacobi-mpi/plain.hpp"

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int residual_every = 100; // steps from one residual to the next
constexpr double tolerance = 1e-5;  // of the residual: where the iteration ends

struct Mesh {
  int nx, ny, max_steps;
};

// The arguments [columns [rows [steps]]], and the first line of the output.
inline Mesh mesh_from(const course::Ranks &ranks, int argc, char **argv) {
  Mesh mesh{};
  ranks.first_rank_first([&] {
    course::expect_arguments(argc, argv, 3, "[columns [rows [steps]]]");
    if (ranks.rank == 0)
      course::print_device();
    mesh = {int(course::count_argument(argc, argv, 1, "columns", course::size(16384, 512), 40000)),
            int(course::count_argument(argc, argv, 2, "rows", course::size(16382, 510), 40000)),
            int(course::count_argument(argc, argv, 3, "steps", course::size(1000, 300)))};
    if (mesh.ny < ranks.count) {
      std::fprintf(stderr, "%s: %d ranks for %d rows: each rank needs at least one row\n", argv[0],
                   ranks.count, mesh.ny);
      std::exit(2);
    }
  });
  return mesh;
}

// The first row of a rank; that of rank `ranks` is the number of rows. Where they do not divide
// evenly, parts differ by one row.
inline int first_row_of(int rank, int ranks, int ny) { return int((long long)ny * rank / ranks); }

// Whether each device has room for the parts of the `sharing` ranks on it, and that of rank 0 for
// the whole mesh, too, which the proof computes again: two arrays of each. Every rank gets the same
// answer.
inline bool fits(const course::Ranks &ranks, const Mesh &mesh, int sharing) {
  const double row = 2.0 * sizeof(float) * (mesh.nx + 31);
  const double needed =
      row * (mesh.ny / ranks.count + 3) * sharing + (ranks.rank == 0 ? row * mesh.ny : 0);
  std::size_t free_bytes = 0, total_bytes = 0;
  CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  int lacks = needed > free_bytes ? ranks.rank : ranks.count, first = 0; // the first one that lacks
  MPI_CHECK(MPI_Allreduce(&lacks, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
  if (first == ranks.rank)
    std::fprintf(
        stderr,
        "%d columns and %d rows do not fit: rank %d's device needs %.0f MB%s, %.0f MB are free\n",
        mesh.nx, mesh.ny, first, 1e-6 * needed,
        first == 0 ? " (with the whole mesh, for the proof)" : "", 1e-6 * free_bytes);
  return first == ranks.count;
}

// The part of a rank: `count` rows of the mesh from `first` on, in two arrays on its device. Row
// 0 and row count+1 of an array are the halo: copies of the neighbours' nearest rows.
struct Part {
  int nx, first, count;
  int previous_rank, next_rank; // a ring: after the last rank comes rank 0
  int pitch;                    // floats from row to row: each begins at a multiple of 128 bytes
  float *d_now, *d_next;        // on the device, count + 2 rows each
  double *d_squares;            // on the device
  // A row each, on the host: two to send, two for the halo. Pinned, so that the copies are fast.
  float *first_row, *last_row, *row_above, *row_below;

  Part(const course::Ranks &ranks, const Mesh &mesh) : nx(mesh.nx) {
    first = first_row_of(ranks.rank, ranks.count, mesh.ny);
    count = first_row_of(ranks.rank + 1, ranks.count, mesh.ny) - first;
    previous_rank = (ranks.rank + ranks.count - 1) % ranks.count;
    next_rank = (ranks.rank + 1) % ranks.count;
    pitch = (nx + 31) / 32 * 32;
    CUDA_CHECK(cudaMalloc(&d_now, bytes(count + 2)));
    CUDA_CHECK(cudaMalloc(&d_next, bytes(count + 2)));
    CUDA_CHECK(cudaMalloc(&d_squares, sizeof *d_squares));
    CUDA_CHECK(cudaMemset(d_squares, 0, sizeof *d_squares));
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
    const std::vector<float> values = start_values(nx, pitch, ny, first, count);
    for (float *array : {d_now, d_next}) {
      CUDA_CHECK(cudaMemset(array, 0, bytes(count + 2)));
      CUDA_CHECK(cudaMemcpy(row(array, 1), values.data(), bytes(count), cudaMemcpyHostToDevice));
    }
  }
};
