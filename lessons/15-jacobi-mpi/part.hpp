// Lesson 15: the mesh, the part of one rank, and the comparison with an undivided run.
#pragma once

#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/mpi.hpp"
#include "common/verify.hpp"

#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

constexpr int residual_every = 100; // steps from one residual to the next
constexpr double tolerance = 1e-5;  // the iteration ends when the residual is at most this

// ny rows of nx cells. The first and the last column are fixed. The rows are periodic: row 0
// follows the last row.
struct Mesh {
  int nx, ny, max_steps;

  // With `ranks` ranks, rank r has rows first_row(r, ranks) to first_row(r + 1, ranks) - 1.
  int first_row(int rank, int ranks) const { return int((long long)ny * rank / ranks); }

  // The initial temperatures of `count` rows, starting at row `first`: a sine wave along the fixed
  // columns, 0 elsewhere. `pitch` is the distance between rows in floats.
  std::vector<float> start(int first, int count, int pitch) const {
    std::vector<float> cells(std::size_t(count) * pitch, 0.0f);
    for (int y = 0; y < count; ++y) {
      float *const row = &cells[std::size_t(y) * pitch];
      row[0] = row[nx - 1] = float(std::sin(2 * M_PI * ((first + y + ny) % ny + 1) / (ny + 1)));
    }
    return cells;
  }
};

// The mesh from the arguments [columns [rows [steps]]]. Rank 0 prints its device.
inline Mesh mesh_from(const course::Ranks &ranks, int argc, char **argv) {
  Mesh mesh{};
  ranks.first_rank_first([&] {
    course::expect_arguments(argc, argv, 3, "[columns [rows [steps]]]");
    if (ranks.rank == 0)
      course::print_device();
    const Mesh standard = course::problem_size(Mesh{16384, 16382, 1000}, Mesh{512, 510, 300});
    mesh.nx = course::count_argument(argc, argv, 1, "columns", standard.nx, 40000);
    mesh.ny = course::count_argument(argc, argv, 2, "rows", standard.ny, 40000, ranks.count);
    mesh.max_steps = course::count_argument(argc, argv, 3, "steps", standard.max_steps);
  });
  return mesh;
}

// The part of one rank. In device memory, row 0 is the upper halo row, rows 1 to `count` are the
// rank's own rows, and row count + 1 is the lower halo row.
struct Part {
  int nx, first, count;
  int pitch;                    // floats from one row to the next
  int previous_rank, next_rank; // in a ring: rank 0 follows the last rank
  float *d_now, *d_next;        // count + 2 rows each
  double *d_squares;
  float *first_row, *last_row, *row_above, *row_below; // pinned host memory for messages

  // Every row begins at a multiple of `alignment` floats.
  Part(const course::Ranks &ranks, const Mesh &mesh, int alignment = 1)
      : nx(mesh.nx), first(mesh.first_row(ranks.rank, ranks.count)),
        count(mesh.first_row(ranks.rank + 1, ranks.count) - first),
        pitch((nx + alignment - 1) / alignment * alignment),
        previous_rank((ranks.rank + ranks.count - 1) % ranks.count),
        next_rank((ranks.rank + 1) % ranks.count) {
    for (float **d_field : {&d_now, &d_next})
      CUDA_CHECK(cudaMalloc(d_field, (count + 2) * row_bytes()));
    for (float **row : {&first_row, &last_row, &row_above, &row_below})
      CUDA_CHECK(cudaMallocHost(row, row_bytes()));
    CUDA_CHECK(cudaMalloc(&d_squares, sizeof *d_squares));
    CUDA_CHECK(cudaMemset(d_squares, 0, sizeof *d_squares));
  }
  ~Part() {
    for (void *memory : {(void *)d_now, (void *)d_next, (void *)d_squares})
      cudaFree(memory);
    for (float *row : {first_row, last_row, row_above, row_below})
      cudaFreeHost(row);
  }
  Part(const Part &) = delete;

  std::size_t row_bytes() const { return pitch * sizeof(float); }
  float *row(float *d_field, int y) const { return d_field + std::size_t(y) * pitch; }

  void start(const Mesh &mesh) {
    const std::vector<float> cells = mesh.start(first - 1, count + 2, pitch);
    for (float *d_field : {d_now, d_next})
      CUDA_CHECK(cudaMemcpy(d_field, cells.data(), (count + 2) * row_bytes(), cudaMemcpyDefault));
  }
};

// As in lesson 07, version 3: the sum of the squares of all changes.
__global__ void add_squares(const float *now, const float *next, std::size_t n, double *squares) {
  double sum = 0;
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float change = next[i] - now[i];
    sum += double(change) * change;
  }
  for (int half = 16; half > 0; half /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, half);
  if (threadIdx.x % 32 == 0)
    atomicAdd(squares, sum);
}

// The residual of the step from d_now to d_next. All ranks call it and get the same number.
inline double residual_of(const Part &part) {
  const std::size_t cells = std::size_t(part.count) * part.pitch;
  const int blocks = 8 * course::multiprocessors();
  double mine = 0, all = 0;
  CUDA_CHECK(cudaMemset(part.d_squares, 0, sizeof mine));
  add_squares<<<blocks, 256>>>(part.row(part.d_now, 1), part.row(part.d_next, 1), cells,
                               part.d_squares);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(&mine, part.d_squares, sizeof mine, cudaMemcpyDeviceToHost));
  MPI_CHECK(MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
  return std::sqrt(all);
}

__global__ void reference_step(const float *now, float *next, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const std::size_t above = (y + ny - 1) % ny, below = (y + 1) % ny, i = std::size_t(y) * nx + x;
  if (x > 0 && x < nx - 1 && y < ny)
    next[i] = 0.25f * (now[i - 1] + now[i + 1] + now[above * nx + x] + now[below * nx + x]);
}

// Every rank computes the whole, undivided mesh again, without messages. True on all ranks if all
// cells of all parts have the same bits. The residual is added in another order, so its last digits
// may differ.
inline bool verify(const course::Ranks &ranks, const Part &part, const Mesh &mesh, int steps,
                   double residual) {
  std::vector<float> cells = mesh.start(0, mesh.ny, mesh.nx), before = cells;
  const std::size_t bytes = cells.size() * sizeof(float), width = mesh.nx * sizeof(float);
  float *d_now, *d_next;
  for (float **d_field : {&d_now, &d_next}) {
    CUDA_CHECK(cudaMalloc(d_field, bytes));
    CUDA_CHECK(cudaMemcpy(*d_field, cells.data(), bytes, cudaMemcpyHostToDevice));
  }
  const dim3 block(32, 8), grid((mesh.nx + 31) / 32, (mesh.ny + 7) / 8);
  for (int step = 0; step < steps; ++step, std::swap(d_now, d_next)) {
    reference_step<<<grid, block>>>(d_now, d_next, mesh.nx, mesh.ny);
    CUDA_CHECK(cudaGetLastError());
  }
  CUDA_CHECK(cudaMemcpy(cells.data(), d_now, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(before.data(), d_next, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_now));
  CUDA_CHECK(cudaFree(d_next));
  double squares = 0;
  for (std::size_t i = 0; i < cells.size(); ++i)
    squares += double(cells[i] - before[i]) * (cells[i] - before[i]);

  const float *const expected = &cells[std::size_t(part.first) * part.nx];
  std::vector<float> mine(std::size_t(part.count) * part.nx);
  CUDA_CHECK(cudaMemcpy2D(mine.data(), width, part.row(part.d_now, 1), part.row_bytes(), width,
                          part.count, cudaMemcpyDeviceToHost));
  const std::string rank = "rank " + std::to_string(ranks.rank);
  const bool equal = course::verify((rank + ": cell").c_str(), mine.data(), mine.size(),
                                    [&](std::size_t i) { return expected[i]; });
  const std::string what = rank + ": residual";
  const bool close = course::verify_value(what.c_str(), residual, std::sqrt(squares), 1e-9);
  return ranks.sum(equal && close ? 0 : 1) == 0;
}
