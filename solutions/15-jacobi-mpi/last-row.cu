// Exercise 15-jacobi-mpi/last-row: a bug hunt. It prints PASS, and is wrong.
//
// Build: nvcc -O3 -std=c++17 -ccbin mpicxx -I. exercises/15-jacobi-mpi/last-row.cu -o last-row
// Run:   mpirun -n 3 ./last-row

#include "common/device.hpp"
#include "common/mpi.hpp"
#include "common/verify.hpp"
#include "exercises/15-jacobi-mpi/last-row.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

// One step for rows 1 to ny. Rows 0 and ny + 1 are the halo.
__global__ void step(int nx, int ny, const float *now, float *next) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x >= nx || y > ny)
    return;
  const size_t i = size_t(y) * nx + x;
  if (x == 0 || x == nx - 1)
    next[i] = now[i];
  else
    next[i] = 0.25f * (now[i - 1] + now[i + 1] + now[i - nx] + now[i + nx]);
}

// Fills the halo of an array in device memory.
void exchange(int nx, int ny, float *d_mesh) {
  int rank, ranks;
  MPI_CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  MPI_CHECK(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
  const int previous_rank = (rank + ranks - 1) % ranks, next_rank = (rank + 1) % ranks;
  const size_t bytes = nx * sizeof(float);
  float *const d_first = d_mesh + nx, *const d_last = d_mesh + size_t(ny) * nx;
  std::vector<float> first(nx), last(nx), above(nx), below(nx); // host memory

  // TODO 1: copy both edge rows to the host, exchange them, copy the halo rows to the device
  CUDA_CHECK(cudaMemcpy(first.data(), d_first, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(last.data(), d_last, bytes, cudaMemcpyDeviceToHost));
  MPI_CHECK(MPI_Sendrecv(first.data(), nx, MPI_FLOAT, previous_rank, 0, below.data(), nx, MPI_FLOAT,
                         next_rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  MPI_CHECK(MPI_Sendrecv(last.data(), nx, MPI_FLOAT, next_rank, 1, above.data(), nx, MPI_FLOAT,
                         previous_rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  CUDA_CHECK(cudaMemcpy(d_mesh, above.data(), bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_last + nx, below.data(), bytes, cudaMemcpyHostToDevice));
  // TODO end
}

long long last_row(int nx, int ny, int steps, const float *expected, float *mesh) {
  const size_t bytes = sizeof(float) * ny * nx, with_halo = sizeof(float) * (ny + 2) * nx;
  float *d_now = nullptr, *d_next = nullptr;
  CUDA_CHECK(cudaMalloc(&d_now, with_halo));
  CUDA_CHECK(cudaMalloc(&d_next, with_halo));
  CUDA_CHECK(cudaMemset(d_now, 0, with_halo));
  CUDA_CHECK(cudaMemset(d_next, 0, with_halo));
  CUDA_CHECK(cudaMemcpy(d_now + nx, mesh, bytes, cudaMemcpyHostToDevice));
  const dim3 block(32, 8), grid((nx + 31) / 32, (ny + 7) / 8);
  for (int i = 0; i < steps; ++i) {
    exchange(nx, ny, d_now);
    step<<<grid, block>>>(nx, ny, d_now, d_next);
    CUDA_CHECK(cudaGetLastError());
    std::swap(d_now, d_next);
  }
  CUDA_CHECK(cudaMemcpy(mesh, d_now + nx, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_now));
  CUDA_CHECK(cudaFree(d_next));

  long long wrong = 0;
  // TODO 2: count the wrong cells of all ranks
  for (int i = 0; i < ny * nx; ++i)
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
  // Rank r has 4 + r rows of 70 cells, and takes one step. The expected cells are right.
  const int ny = 4 + ranks.rank, nx = 70;
  const int rows = 4 * ranks.count + ranks.count * (ranks.count - 1) / 2;
  const int first = 4 * ranks.rank + ranks.rank * (ranks.rank - 1) / 2;
  const auto value = [&](int y, int x) {
    return float(((first + y + rows) % rows * 31 + x * 17) % 101);
  };
  std::vector<float> mesh(ny * nx), expected(mesh.size());
  for (int i = 0; i < ny * nx; ++i) {
    const int y = i / nx, x = i % nx;
    mesh[i] = expected[i] = value(y, x);
    if (x > 0 && x < nx - 1)
      expected[i] = 0.25f * (value(y, x - 1) + value(y, x + 1) + value(y - 1, x) + value(y + 1, x));
  }
  const long long wrong = last_row(nx, ny, 1, expected.data(), mesh.data());
  if (ranks.rank > 0)
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
  std::printf("%lld of %d cells are wrong\n", wrong, rows * nx);
  return course::verdict(wrong == 0);
}
