// The proof of lesson 15: what the ranks have computed, beside one device that did it alone.
#pragma once

#include "common/mpi.hpp"
#include "common/verify.hpp"
#include "lessons/16-jacobi-nccl/part.hpp"
#include "lessons/16-jacobi-nccl/plain.hpp"

#include <string>
#include <vector>

// What this rank must have after `steps` steps.
struct Expected {
  int steps;
  std::vector<float> rows;
  double residual; // of the last step, over all ranks
};

// Rank 0 computes all rows, and sends them round.
inline Expected expected_after(const course::Ranks &ranks, const Part &part, int ny, int steps) {
  Expected expected{steps, std::vector<float>(std::size_t(part.count) * part.nx), 0};
  if (ranks.rank > 0) {
    MPI_CHECK(MPI_Recv(expected.rows.data(), int(expected.rows.size()), MPI_FLOAT, 0, 0,
                       MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  } else {
    const PlainRun all = plain_run(part.nx, ny, steps);
    expected.residual = all.residual;
    for (int rank = 1; rank < ranks.count; ++rank) {
      const int first = first_row_of(rank, ranks.count, ny);
      const int count = first_row_of(rank + 1, ranks.count, ny) - first;
      MPI_CHECK(MPI_Send(&all.values[std::size_t(first) * part.nx], count * part.nx, MPI_FLOAT,
                         rank, 0, MPI_COMM_WORLD));
    }
    expected.rows.assign(all.values.begin(), all.values.begin() + expected.rows.size());
  }
  MPI_CHECK(MPI_Bcast(&expected.residual, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD));
  return expected;
}

// Whether all rows of all ranks are those of the plain run, to the last bit, and `residual` is its
// residual. Every rank gets the same answer.
inline bool prove(const course::Ranks &ranks, const Part &part, const Expected &expected,
                  double residual) {
  const std::string rank = "rank " + std::to_string(ranks.rank);
  bool correct = prove_rows(rank, part, expected.rows.data());
  // Two orders of adding the squares differ by some roundings of 1e-16.
  correct =
      course::verify_value((rank + ": residual").c_str(), residual, expected.residual, 1e-9) &&
      correct;
  return ranks.sum(correct ? 0 : 1) == 0;
}
