// Lesson 16: start and end of the ranks, the rows of one rank, and a run without parts.
#pragma once
#include "common/arguments.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include <mpi.h>
#include <string>
#include <utility>
#include <vector>

// Starts MPI, chooses a GPU, and reads the arguments [columns [rows [steps]]].
struct Setup {
  int rank, ranks, nx, ny, steps, devices;

  Setup(int argc, char **argv) {
    MPI_Init(&argc, &argv); // from now on, an error in an MPI call ends all ranks
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    CUDA_CHECK(cudaGetDeviceCount(&devices));
    CUDA_CHECK(cudaSetDevice(rank % devices)); // nodes have consecutive ranks
    course::expect_arguments(argc, argv, 3, "[columns [rows [steps]]]");
    nx = course::count_argument(argc, argv, 1, "columns", course::problem_size(16384, 512), 40000);
    ny = course::count_argument(argc, argv, 2, "rows", course::problem_size(16382, 510), 40000,
                                ranks);
    steps = course::count_argument(argc, argv, 3, "steps", course::problem_size(1000, 300));
    if (rank > 0)
      return;
    course::print_device();
    std::printf("%d x %d cells, %d steps; ranks: %d\n\n", nx, ny, steps, ranks);
  }
  ~Setup() { MPI_Finalize(); }
};

// The plate has ny rows of nx cells. The first and the last column are fixed. The rows are
// periodic. A rank has `count` rows, from row `first` on, and `halo` rows of each neighbour.
struct Part {
  int nx, ny, first, count, halo;
  int pitch;                    // floats from one row to the next, a multiple of 32
  int previous_rank, next_rank; // in a ring: rank 0 follows the last rank
  float *d_now, *d_next;

  Part(int rank, int ranks, int nx, int ny, int halo = 1)
      : nx(nx), ny(ny), first(int((long long)ny * rank / ranks)),
        count(int((long long)ny * (rank + 1) / ranks) - first), halo(halo),
        pitch((nx + 31) / 32 * 32), previous_rank((rank + ranks - 1) % ranks),
        next_rank((rank + 1) % ranks) {
    CUDA_CHECK(cudaMalloc(&d_now, bytes(count + 2 * halo)));
    CUDA_CHECK(cudaMalloc(&d_next, bytes(count + 2 * halo)));
    start();
  }
  ~Part() { cudaFree(d_now), cudaFree(d_next); }
  Part(const Part &) = delete;

  std::size_t bytes(int rows) const { return sizeof(float) * pitch * rows; }
  float *row(float *d_field, int y) const { return d_field + std::size_t(y) * pitch; }

  void start() { // every fixed cell has the index of its row, all others are 0
    std::vector<float> cells(bytes(count + 2 * halo) / sizeof(float), 0.0f);
    for (int y = 0; y < count + 2 * halo; ++y)
      *row(cells.data(), y) = row(cells.data(), y)[nx - 1] = (first + y - halo + ny) % ny;
    for (float *d_field : {d_now, d_next})
      CUDA_CHECK(cudaMemcpy(d_field, cells.data(), bytes(count + 2 * halo), cudaMemcpyDefault));
  }
};

__global__ void reference_step(const float *now, float *next, int nx, int ny, int pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const std::size_t row = std::size_t(y) * pitch, above = std::size_t((y + ny - 1) % ny) * pitch;
  const std::size_t below = std::size_t((y + 1) % ny) * pitch;
  if (x > 0 && x < nx - 1 && y < ny)
    next[row + x] = 0.25f * (now[row + x - 1] + now[row + x + 1] + now[above + x] + now[below + x]);
}

// Computes the whole plate again, without messages. All bits of the part must be the same.
inline bool verify(const Part &part, int rank, int steps) {
  Part plate(0, 1, part.nx, part.ny, 0);
  const dim3 block(32, 8), grid((part.nx + 31) / 32, (part.ny + 7) / 8);
  for (int i = 0; i < steps; ++i, std::swap(plate.d_now, plate.d_next)) {
    reference_step<<<grid, block>>>(plate.d_now, plate.d_next, part.nx, part.ny, part.pitch);
    CUDA_CHECK(cudaGetLastError());
  }
  const std::size_t bytes = part.bytes(part.count);
  std::vector<float> got(bytes / sizeof(float)), want(got.size());
  CUDA_CHECK(cudaMemcpy(got.data(), part.row(part.d_now, part.halo), bytes, cudaMemcpyDefault));
  CUDA_CHECK(cudaMemcpy(want.data(), plate.row(plate.d_now, part.first), bytes, cudaMemcpyDefault));
  return course::verify(("rank " + std::to_string(rank) + ": cell").c_str(), got.data(), got.size(),
                        [&](std::size_t i) { return want[i]; });
}
