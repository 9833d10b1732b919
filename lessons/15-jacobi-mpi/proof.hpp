// The proof of lesson 15: what the ranks have computed, beside one device that did it alone.
#pragma once

#include "common/mpi.hpp"
#include "common/verify.hpp"
#include "lessons/15-jacobi-mpi/part.hpp"
#include "lessons/15-jacobi-mpi/plain.hpp"

#include <cmath>
#include <string>
#include <vector>

// The rows of this rank in one of its arrays, without halo and padding.
inline std::vector<float> rows_of(const Part &part, float *array) {
  const std::size_t bytes = part.nx * sizeof(float);
  std::vector<float> values(std::size_t(part.count) * part.nx);
  CUDA_CHECK(cudaMemcpy2D(values.data(), bytes, part.row(array, 1), part.bytes(1), bytes,
                          part.count, cudaMemcpyDeviceToHost));
  return values;
}

// What this rank's rows must be after `steps` steps: rank 0 computes all rows and sends them round.
inline std::vector<float> expected_rows(const course::Ranks &ranks, const Part &part, int ny,
                                        int steps) {
  std::vector<float> expected(std::size_t(part.count) * part.nx);
  if (ranks.rank > 0) {
    MPI_CHECK(MPI_Recv(expected.data(), int(expected.size()), MPI_FLOAT, 0, 0, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE));
    return expected;
  }
  const std::vector<float> all = plain_run(part.nx, ny, steps);
  for (int rank = 1; rank < ranks.count; ++rank) {
    const int first = first_row_of(rank, ranks.count, ny);
    const int count = first_row_of(rank + 1, ranks.count, ny) - first;
    MPI_CHECK(MPI_Send(&all[std::size_t(first) * part.nx], count * part.nx, MPI_FLOAT, rank, 0,
                       MPI_COMM_WORLD));
  }
  expected.assign(all.begin(), all.begin() + expected.size());
  return expected;
}

// Whether all rows of all ranks are those of the plain run, to the last bit, and `residual` is that
// of the last step, which leads from part.d_next to part.d_now. Every rank gets the same answer.
inline bool prove(const course::Ranks &ranks, const Part &part, int ny, int steps,
                  double residual) {
  const std::vector<float> mine = rows_of(part, part.d_now), before = rows_of(part, part.d_next);
  const std::vector<float> expected = expected_rows(ranks, part, ny, steps);
  const std::string cell = "rank " + std::to_string(ranks.rank) + ": cell";
  bool correct = course::verify(cell.c_str(), mine.data(), mine.size(),
                                [&](std::size_t i) { return double(expected[i]); });
  double sum = 0;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    const float change = mine[i] - before[i];
    sum += double(change) * change;
  }
  const double wanted_residual = std::sqrt(ranks.sum(sum));
  if (ranks.rank == 0) // it is the same on all
    correct = course::verify_value("residual", residual, wanted_residual, 1e-9) && correct;
  return ranks.sum(correct ? 0 : 1) == 0;
}
