// The exchange of lesson 16: the halo rows of a part, by NCCL.
#pragma once

#include "common/nccl.hpp"
#include "lessons/16-jacobi-nccl/part.hpp"

#include <cstddef>

// Queues in `stream` the exchange of the halo of d_next: the first rows go to the previous rank,
// where they are the halo below; the last rows go to the next rank, where they are the halo above.
// [exchange]
inline void exchange(const Part &part, ncclComm_t comm, cudaStream_t stream) {
  const std::size_t n = std::size_t(part.halo) * part.pitch;
  float *const above = part.d_next, *const first = above + n;
  float *const last = part.row(above, part.count), *const below = last + n;
  NCCL_CHECK(ncclGroupStart());
  NCCL_CHECK(ncclSend(first, n, ncclFloat, part.previous_rank, comm, stream));
  NCCL_CHECK(ncclRecv(below, n, ncclFloat, part.next_rank, comm, stream));
  NCCL_CHECK(ncclSend(last, n, ncclFloat, part.next_rank, comm, stream));
  NCCL_CHECK(ncclRecv(above, n, ncclFloat, part.previous_rank, comm, stream));
  NCCL_CHECK(ncclGroupEnd());
}
// [end]
