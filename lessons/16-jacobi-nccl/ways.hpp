// Three ways to exchange the halo by MPI, as in lesson 15.
#pragma once

#include "common/check.hpp"
#include "common/mpi.hpp"
#include "lessons/16-jacobi-nccl/part.hpp"
#include "lessons/16-jacobi-nccl/step.hpp"
#include "lessons/16-jacobi-nccl/streams.hpp"

#include <cmath>

// A rank's first row goes to the previous rank, where it is the halo below; its last row goes to
// the next rank, where it is the halo above. All pointers are to host memory or, where MPI is
// CUDA-aware, all to device memory.
inline void exchange_rows(const Part &part, const float *first, const float *last, float *above,
                          float *below) {
  const int n = part.nx;
  MPI_CHECK(MPI_Sendrecv(first, n, MPI_FLOAT, part.previous_rank, 0, below, n, MPI_FLOAT,
                         part.next_rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  MPI_CHECK(MPI_Sendrecv(last, n, MPI_FLOAT, part.next_rank, 1, above, n, MPI_FLOAT,
                         part.previous_rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

// 1. Staged: the halo of d_next by way of the host, after all that `stream` has to do. MPI knows
// nothing of streams: the host waits for the rows before it sends them.
inline void exchange_staged(const Part &part, cudaStream_t stream) {
  const auto copy = [&](float *to, const float *from) {
    CUDA_CHECK(cudaMemcpyAsync(to, from, part.nx * sizeof(float), cudaMemcpyDefault, stream));
  };
  copy(part.first_row, part.row(part.d_next, 1));
  copy(part.last_row, part.row(part.d_next, part.count));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  exchange_rows(part, part.first_row, part.last_row, part.row_above, part.row_below);
  copy(part.row(part.d_next, 0), part.row_above);
  copy(part.row(part.d_next, part.count + 1), part.row_below);
}

// 2. A CUDA-aware MPI takes device pointers: no copies to write, and between GPUs of one node the
// data need not pass through the host. Not every MPI is built so, and one that is not crashes.
inline void exchange_cuda_aware(const Part &part, cudaStream_t stream) {
  CUDA_CHECK(cudaStreamSynchronize(stream));
  exchange_rows(part, part.row(part.d_next, 1), part.row(part.d_next, part.count),
                part.row(part.d_next, 0), part.row(part.d_next, part.count + 1));
}

// 3. Overlapped: only the first and the last row are needed elsewhere. They are computed first, in
// a stream of their own, and travel while the other stream computes the rows between.
//
// The edges need the rows beside them from the step before, and must not overwrite what it still
// reads: they wait for an event of the inner stream. The inner stream waits for none: the host has
// seen the edges' last step end, in exchange_staged.
inline void step_overlapped(const Part &part, const Streams &streams, double *d_squares) {
  CUDA_CHECK(cudaStreamWaitEvent(streams.edges, streams.inner_done, 0));
  launch(part, edges_of(part), d_squares, streams.edges);
  launch(part, inner_rows(part), d_squares, streams.inner);
  CUDA_CHECK(cudaEventRecord(streams.inner_done, streams.inner));
  exchange_staged(part, streams.edges);
}

enum class Way { staged, cuda_aware, overlapped };

// One step of a part from d_now to d_next, with the halo of d_next. *d_squares gets the squares of
// this rank's changes, if they are asked for.
inline void step_and_exchange(const Part &part, Way way, const Streams &streams,
                              bool with_residual) {
  double *const d_squares = with_residual ? part.d_squares : nullptr;
  if (with_residual) // in the default stream: waits for both streams, and they for it
    CUDA_CHECK(cudaMemset(part.d_squares, 0, sizeof(double)));
  if (way == Way::overlapped) {
    step_overlapped(part, streams, d_squares);
  } else {
    launch(part, all_rows(part), d_squares, streams.inner);
    (way == Way::staged ? exchange_staged : exchange_cuda_aware)(part, streams.inner);
  }
}

// The residual of the last step, over all ranks.
inline double residual_of(const course::Ranks &ranks, const Part &part) {
  double mine = 0;
  CUDA_CHECK(cudaMemcpy(&mine, part.d_squares, sizeof mine, cudaMemcpyDeviceToHost));
  return std::sqrt(ranks.sum(mine));
}
