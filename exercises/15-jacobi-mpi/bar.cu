// Exercise 15-jacobi-mpi/bar: a bar of cells, divided among ranks. MPI without a GPU.
//
// Build: nvcc -O3 -std=c++17 -ccbin mpicxx -I. exercises/15-jacobi-mpi/bar.cu -o bar
// Run:   mpirun -n 3 ./bar
//
// The bar has two ends: the first and the last rank have only one neighbour.

#include "common/mpi.hpp"
#include "common/verify.hpp"
#include "exercises/15-jacobi-mpi/bar.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

double bar(int n, int steps, double left, double right, double *cells) {
  int rank, ranks;
  MPI_CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  MPI_CHECK(MPI_Comm_size(MPI_COMM_WORLD, &ranks));

  // TODO 1: the previous and the next rank, or MPI_PROC_NULL if there is none
  const int previous_rank = MPI_PROC_NULL, next_rank = MPI_PROC_NULL;
  // TODO end

  // old[1] to old[n] are this rank's cells. old[0] and old[n + 1] are the halo: copies of the
  // neighbours' nearest cells, or the fixed values at the ends of the bar.
  std::vector<double> old(n + 2);
  old[0] = left;
  old[n + 1] = right;
  double change = 0;
  for (int step = 0; step < steps; ++step) {
    std::copy(cells, cells + n, &old[1]);

    // TODO 2: send the first cell to the previous rank, the last one to the next. Receive
    // their nearest cells into the halo. Nothing is sent to MPI_PROC_NULL, nothing comes from it.
    // TODO end

    change = 0;
    for (int i = 1; i <= n; ++i) {
      cells[i - 1] = 0.5 * (old[i - 1] + old[i + 1]);
      change = std::max(change, std::abs(cells[i - 1] - old[i]));
    }
  }

  // TODO 3: give every rank the largest change of all ranks
  // TODO end
  return change;
}

int main(int argc, char **argv) {
  MPI_CHECK(MPI_Init(&argc, &argv));
  int rank, ranks;
  MPI_CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  MPI_CHECK(MPI_Comm_size(MPI_COMM_WORLD, &ranks));

  // Rank r has 3 + r cells. After many steps the values rise evenly, from 0 at one end of the bar
  // to 1 at the other.
  const int n = 3 + rank, all = 3 * ranks + ranks * (ranks - 1) / 2;
  const int first = 3 * rank + rank * (rank - 1) / 2;
  std::vector<double> cells(n, 0.0);
  const double change = bar(n, 40 * all * all, 0, 1, cells.data());
  const std::string cell = "rank " + std::to_string(rank) + ": cell";
  bool correct = course::verify(
      cell.c_str(), cells.data(), n, [&](size_t i) { return (first + i + 1.0) / (all + 1); }, 1e-9);
  MPI_CHECK(MPI_Allreduce(MPI_IN_PLACE, &correct, 1, MPI_CXX_BOOL, MPI_LAND, MPI_COMM_WORLD));
  if (rank == 0)
    std::printf("%d cells on %d ranks, last change %g\n", all, ranks, change);
  MPI_CHECK(MPI_Finalize());
  if (rank > 0)
    return correct ? EXIT_SUCCESS : EXIT_FAILURE;
  if (!correct)
    std::puts("not correct yet: fill in TODO 1 to TODO 3");
  return course::verdict(correct);
}
