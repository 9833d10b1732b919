// Exercise 15-jacobi-mpi/my-rows: which rows of the mesh belong to this rank?
//
// Build: nvcc -O3 -std=c++17 -ccbin mpicxx -I. exercises/15-jacobi-mpi/my-rows.cu -o my-rows
// Run:   mpirun -n 3 ./my-rows

#include "common/verify.hpp"
#include "exercises/15-jacobi-mpi/my-rows.hpp"

#include <mpi.h>

#include <cstdio>
#include <cstdlib>

Rows my_rows(int ny) {
  int rank = 0, ranks = 1;
  // TODO 1: the index of this rank, and the number of ranks
  // TODO end

  // TODO 2: the first row of this rank, and the first row of the next rank
  const int first = 0, end = ny;
  // TODO end
  return {first, end - first};
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);

  // All ranks together have all rows.
  const int ny = 1000;
  const Rows mine = my_rows(ny);
  std::printf("rank %d of %d: %d rows, starting at row %d\n", rank, ranks, mine.count, mine.first);
  int all = 0;
  MPI_Reduce(&mine.count, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  if (rank > 0)
    return EXIT_SUCCESS;
  return course::verdict(course::verify_value("rows of all ranks", all, ny));
}
