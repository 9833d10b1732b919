// Exercise 15-jacobi-mpi/everyone-sends-first: a bug hunt. Short lists get an answer.
//
// Build: nvcc -O3 -ccbin mpicxx -I. exercises/15-jacobi-mpi/everyone-sends-first.cu -o everyone
// Run:   mpirun -n 3 ./everyone

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
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int next_rank = (rank + 1) % ranks, previous_rank = (rank + ranks - 1) % ranks;

  std::vector<double> received(n);
  for (int turn = 0; turn < times; ++turn) {
    // TODO 1: the list goes to the next rank, that of the previous rank comes
    MPI_Sendrecv(list, n, MPI_DOUBLE, next_rank, 0, received.data(), n, MPI_DOUBLE, previous_rank,
                 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    // TODO end
    std::copy(received.begin(), received.end(), list);
  }

  const double mine = std::accumulate(list, list + n, 0.0);
  double all = 0;
  // TODO 2: the sum of all ranks, for all ranks
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  // TODO end
  return all;
}

int main(int argc, char **argv) {
  std::signal(SIGALRM, [](int) {
    const char words[] = "no answer for 10 seconds: the ranks wait for each other\n";
    if (write(2, words, sizeof words - 1) >= 0)
      _exit(1);
  });
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);

  // Rank r's list holds r everywhere; after one turn it has that of the rank before.
  bool correct = true;
  for (const int n : {100, 1'000'000}) {
    if (rank == 0)
      std::printf("%d numbers per list ...\n", n);
    std::fflush(stdout);
    alarm(10);
    std::vector<double> list(n, rank);
    const double sum = everyone_sends_first(n, 1, list.data());
    alarm(0);
    const int previous_rank = (rank + ranks - 1) % ranks;
    const std::string who = "rank " + std::to_string(rank);
    correct = course::verify((who + ": list").c_str(), list.data(), n,
                             [&](size_t) { return previous_rank; }) &&
              correct;
    correct = course::verify_value((who + ": sum").c_str(), sum, n * (ranks * (ranks - 1) / 2.0)) &&
              correct;
  }
  MPI_Allreduce(MPI_IN_PLACE, &correct, 1, MPI_CXX_BOOL, MPI_LAND, MPI_COMM_WORLD);
  MPI_Finalize();
  if (rank > 0)
    return correct ? EXIT_SUCCESS : EXIT_FAILURE;
  return course::verdict(correct);
}
