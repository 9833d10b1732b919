// Exercise 15-jacobi-mpi/everyone-sends-first: a bug hunt. It works for short arrays only.
//
// Build: nvcc -O3 -ccbin mpicxx -I. exercises/15-jacobi-mpi/everyone-sends-first.cu -o everyone
// Run:   mpirun -n 3 ./everyone

#include "common/mpi.hpp"
#include "common/verify.hpp"
#include "exercises/15-jacobi-mpi/everyone-sends-first.hpp"

#include <mpi.h>

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

double everyone_sends_first(int n, int times, double *list) {
  int rank, ranks;
  MPI_CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  MPI_CHECK(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
  const int next_rank = (rank + 1) % ranks, previous_rank = (rank + ranks - 1) % ranks;

  std::vector<double> received(n);
  for (int turn = 0; turn < times; ++turn) {
    // TODO 1: send the array to the next rank, and receive the array of the previous rank
    MPI_Send(list, n, MPI_DOUBLE, next_rank, 0, MPI_COMM_WORLD);
    MPI_Recv(received.data(), n, MPI_DOUBLE, previous_rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    // TODO end
    std::copy(received.begin(), received.end(), list);
  }

  const double mine = std::accumulate(list, list + n, 0.0);
  double all = 0;
  // TODO 2: return the sum over all ranks on every rank
  MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  // TODO end
  return all;
}

// Ends this rank after 10 seconds without a result.
void give_up(int) {
  const char message[] = "no result for 10 seconds: the ranks wait for each other\n";
  if (write(2, message, sizeof message - 1) >= 0)
    _exit(1);
}

int main(int argc, char **argv) {
  std::signal(SIGALRM, give_up);
  MPI_CHECK(MPI_Init(&argc, &argv));
  int rank, ranks;
  MPI_CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  MPI_CHECK(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
  const std::string list_name = "rank " + std::to_string(rank) + ": list";
  const std::string sum_name = "rank " + std::to_string(rank) + ": sum";
  bool correct = true;
  for (const int n : {100, 1'000'000}) { // rank r's array is r everywhere
    if (rank == 0)
      std::printf("%d numbers per array ...\n", n);
    std::fflush(stdout);
    alarm(10);
    std::vector<double> list(n, rank);
    const double sum = everyone_sends_first(n, 1, list.data()), all = ranks * (ranks - 1) / 2.0 * n;
    alarm(0);
    const auto previous_rank = [&](size_t) { return (rank + ranks - 1) % ranks; };
    correct = course::verify(list_name.c_str(), list.data(), n, previous_rank) && correct;
    correct = course::verify_value(sum_name.c_str(), sum, all) && correct;
  }
  MPI_CHECK(MPI_Allreduce(MPI_IN_PLACE, &correct, 1, MPI_CXX_BOOL, MPI_LAND, MPI_COMM_WORLD));
  MPI_CHECK(MPI_Finalize());
  return rank == 0 ? course::verdict(correct) : !correct;
}
