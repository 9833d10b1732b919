// expect: fail because=value
// All ranks are counted, but not their last cells.
#include "common/device.hpp"
#include "common/mpi.hpp"
#include "common/verify.hpp"
#include "exercises/15-jacobi-mpi/last-row.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

// Rows 1 to `rows` of an array with a halo row on both sides.
__global__ void step(int rows, int columns, const float *now, float *next) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x >= columns || y > rows)
    return;
  const size_t own = size_t(y) * columns + x;
  if (x == 0 || x == columns - 1)
    next[own] = now[own];
  else
    next[own] = 0.25f * (now[own - 1] + now[own + 1] + now[own - columns] + now[own + columns]);
}

// Fills the halo of an array on the device.
void exchange(int rows, int columns, float *d_mesh) {
  int rank, ranks;
  MPI_CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  MPI_CHECK(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
  const int before = (rank + ranks - 1) % ranks, behind = (rank + 1) % ranks;
  const size_t bytes = columns * sizeof(float);
  float *const d_first = d_mesh + columns, *const d_last = d_mesh + size_t(rows) * columns;
  std::vector<float> first(columns), last(columns), above(columns), below(columns); // on the host

  // TODO 1: the own rows to the host, the exchange, the halo rows to the device
  CUDA_CHECK(cudaMemcpy(first.data(), d_first, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(last.data(), d_last, bytes, cudaMemcpyDeviceToHost));
  MPI_CHECK(MPI_Sendrecv(first.data(), columns, MPI_FLOAT, before, 0, below.data(), columns,
                         MPI_FLOAT, behind, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  MPI_CHECK(MPI_Sendrecv(last.data(), columns, MPI_FLOAT, behind, 1, above.data(), columns,
                         MPI_FLOAT, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  CUDA_CHECK(cudaMemcpy(d_mesh, above.data(), bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_last + columns, below.data(), bytes, cudaMemcpyHostToDevice));
  // TODO end
}

long long last_row(int rows, int columns, int steps, const float *expected, float *mesh) {
  const size_t bytes = sizeof(float) * rows * columns,
               with_halo = sizeof(float) * (rows + 2) * columns;
  float *d_now = nullptr, *d_next = nullptr;
  CUDA_CHECK(cudaMalloc(&d_now, with_halo));
  CUDA_CHECK(cudaMalloc(&d_next, with_halo));
  CUDA_CHECK(cudaMemset(d_now, 0, with_halo));
  CUDA_CHECK(cudaMemset(d_next, 0, with_halo));
  CUDA_CHECK(cudaMemcpy(d_now + columns, mesh, bytes, cudaMemcpyHostToDevice));
  const dim3 block(32, 8), grid((columns + 31) / 32, (rows + 7) / 8);
  for (int i = 0; i < steps; ++i) {
    exchange(rows, columns, d_now);
    step<<<grid, block>>>(rows, columns, d_now, d_next);
    CUDA_CHECK(cudaGetLastError());
    std::swap(d_now, d_next);
  }
  CUDA_CHECK(cudaMemcpy(mesh, d_now + columns, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_now));
  CUDA_CHECK(cudaFree(d_next));

  long long wrong = 0;
  // TODO 2: count the cells that differ, of all ranks
  for (int i = 0; i < rows * columns - 1; ++i)
    wrong += mesh[i] != expected[i];
  MPI_CHECK(MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD));
  // TODO end
  return wrong;
}

int main(int argc, char **argv) {
  const course::Ranks ranks(&argc, &argv);
  if (ranks.rank == 0)
    course::print_device();
  course::choose_device();

  // Rank r has 4 + r rows of 70 cells. One step, for which a formula will do.
  const int rows = 4 + ranks.rank, columns = 70;
  const int all = 4 * ranks.count + ranks.count * (ranks.count - 1) / 2;
  const int first = 4 * ranks.rank + ranks.rank * (ranks.rank - 1) / 2;
  const auto value = [&](int row, int column) {
    return float(((first + row + all) % all * 31 + column * 17) % 101);
  };
  std::vector<float> mesh(rows * columns), expected(mesh.size());
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) {
      const bool fixed = x == 0 || x == columns - 1;
      mesh[y * columns + x] = value(y, x);
      expected[y * columns + x] =
          fixed ? value(y, x)
                : 0.25f * (value(y, x - 1) + value(y, x + 1) + value(y - 1, x) + value(y + 1, x));
    }
  const long long wrong = last_row(rows, columns, 1, expected.data(), mesh.data());
  if (ranks.rank > 0)
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
  std::printf("%lld of %d cells are wrong\n", wrong, all * columns);
  return course::verdict(wrong == 0);
}
