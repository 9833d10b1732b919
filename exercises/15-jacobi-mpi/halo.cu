// Exercise 15-jacobi-mpi/halo: which rows go where, down to one row per rank.
//
// Build: nvcc -O3 -std=c++17 -ccbin mpicxx -I. exercises/15-jacobi-mpi/halo.cu -o halo
// Run:   mpirun -n 3 ./halo
//
// Where the lesson's mesh is periodic, this field has a top and a bottom, which are insulated.

#include "common/device.hpp"
#include "common/mpi.hpp"
#include "common/verify.hpp"
#include "exercises/15-jacobi-mpi/halo.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

// Fills the halo rows of a field in device memory.
void exchange(int nx, int ny, float *d_field) {
  int rank, ranks;
  MPI_CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  MPI_CHECK(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
  const int previous_rank = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  const int next_rank = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
  const size_t bytes = nx * sizeof(float);
  std::vector<float> first(nx), last(nx), above(nx), below(nx); // on the host

  // TODO 1: this rank's first and last own row to the host
  // TODO end

  // TODO 2: the neighbours' rows, and at the top and bottom of the field this rank's own
  // TODO end

  // TODO 3: both halo rows to the device
  // TODO end
}

void halo(int nx, int ny, float *field) {
  const size_t bytes = sizeof(float) * (ny + 2) * nx;
  float *d_field = nullptr;
  CUDA_CHECK(cudaMalloc(&d_field, bytes));
  CUDA_CHECK(cudaMemcpy(d_field, field, bytes, cudaMemcpyHostToDevice));
  exchange(nx, ny, d_field);
  CUDA_CHECK(cudaMemcpy(field, d_field, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_field));
}

int main(int argc, char **argv) {
  const course::Ranks ranks(&argc, &argv);
  if (ranks.rank == 0)
    course::print_device();
  course::choose_device();

  // Rank r has 1 + r rows; every number tells its row of the whole field and its column.
  const int ny = 1 + ranks.rank, nx = 5, all = ranks.count * (ranks.count + 1) / 2;
  const int above_all = ranks.rank * (ranks.rank + 1) / 2; // rows of the ranks before
  const auto value = [&](int row, int column) {
    return 100 * std::clamp(above_all + row - 1, 0, all - 1) + column;
  };
  std::vector<float> field((ny + 2) * nx, -1);
  for (int i = nx; i < (ny + 1) * nx; ++i)
    field[i] = value(i / nx, i % nx);
  halo(nx, ny, field.data());
  const std::string its = "rank " + std::to_string(ranks.rank) + ": field";
  const bool correct = course::verify(its.c_str(), field.data(), field.size(),
                                      [&](size_t i) { return value(int(i) / nx, int(i) % nx); });
  const bool all_correct = ranks.sum(correct ? 0 : 1) == 0;
  if (ranks.rank > 0)
    return all_correct ? EXIT_SUCCESS : EXIT_FAILURE;
  if (!all_correct)
    std::puts("not right yet: fill in TODO 1 to TODO 3");
  return course::verdict(all_correct);
}
