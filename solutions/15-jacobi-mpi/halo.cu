// Exercise 15-jacobi-mpi/halo: which rows go where, down to one row a rank.
//
// Build: nvcc -O3 -std=c++17 -ccbin mpicxx -I. exercises/15-jacobi-mpi/halo.cu -o halo
// Run:   mpirun -n 3 ./halo
//
// Where the lesson's mesh goes round, this field has a top and a bottom, which are insulated.

#include "common/device.hpp"
#include "common/mpi.hpp"
#include "common/verify.hpp"
#include "exercises/15-jacobi-mpi/halo.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

// The same for a field on the device.
void exchange(int rows, int columns, float *d_field) {
  int rank, ranks;
  MPI_CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  MPI_CHECK(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
  const int before = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  const int behind = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
  const size_t bytes = columns * sizeof(float);
  std::vector<float> first(columns), last(columns), above(columns), below(columns); // on the host

  // TODO 1: this rank's first and last own row to the host
  CUDA_CHECK(cudaMemcpy(first.data(), d_field + columns, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(
      cudaMemcpy(last.data(), d_field + size_t(rows) * columns, bytes, cudaMemcpyDeviceToHost));
  // TODO end

  // TODO 2: the neighbours' rows, and at the top and bottom of the field this rank's own
  above = first;
  below = last;
  MPI_CHECK(MPI_Sendrecv(first.data(), columns, MPI_FLOAT, before, 0, below.data(), columns,
                         MPI_FLOAT, behind, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  MPI_CHECK(MPI_Sendrecv(last.data(), columns, MPI_FLOAT, behind, 1, above.data(), columns,
                         MPI_FLOAT, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  // TODO end

  // TODO 3: both halo rows to the device
  CUDA_CHECK(cudaMemcpy(d_field, above.data(), bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_field + size_t(rows + 1) * columns, below.data(), bytes,
                        cudaMemcpyHostToDevice));
  // TODO end
}

void halo(int rows, int columns, float *field) {
  const size_t bytes = sizeof(float) * (rows + 2) * columns;
  float *d_field = nullptr;
  CUDA_CHECK(cudaMalloc(&d_field, bytes));
  CUDA_CHECK(cudaMemcpy(d_field, field, bytes, cudaMemcpyHostToDevice));
  exchange(rows, columns, d_field);
  CUDA_CHECK(cudaMemcpy(field, d_field, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_field));
}

int main(int argc, char **argv) {
  const course::Ranks ranks(&argc, &argv);
  if (ranks.rank == 0)
    course::print_device();
  course::choose_device();

  // Rank r has 1 + r rows; every number tells its row of the whole field and its column.
  const int rows = 1 + ranks.rank, columns = 5, all = ranks.count * (ranks.count + 1) / 2;
  const int above_all = ranks.rank * (ranks.rank + 1) / 2; // rows of the ranks before
  const auto value = [&](int row, int column) {
    return 100 * std::clamp(above_all + row - 1, 0, all - 1) + column;
  };
  std::vector<float> field((rows + 2) * columns, -1);
  for (int i = columns; i < (rows + 1) * columns; ++i)
    field[i] = value(i / columns, i % columns);
  halo(rows, columns, field.data());
  const std::string its = "rank " + std::to_string(ranks.rank) + ": field";
  const bool right = course::verify(its.c_str(), field.data(), field.size(), [&](size_t i) {
    return value(int(i) / columns, int(i) % columns);
  });
  const bool all_right = ranks.sum(right ? 0 : 1) == 0;
  if (ranks.rank > 0)
    return all_right ? EXIT_SUCCESS : EXIT_FAILURE;
  if (!all_right)
    std::puts("not right yet: fill in TODO 1 to TODO 3");
  return course::verdict(all_right);
}
