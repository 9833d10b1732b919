// How the ranks of MPI become ranks of NCCL.
#pragma once

#include "common/mpi.hpp"
#include "common/nccl.hpp"

// The communicator of all ranks. MPI does nothing here but bring the id from rank 0 to the others.
// [connect]
inline ncclComm_t connect(const course::Ranks &ranks) {
  ncclUniqueId id{};
  if (ranks.rank == 0)
    NCCL_CHECK(ncclGetUniqueId(&id));
  MPI_CHECK(MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD));
  ncclComm_t comm;
  NCCL_CHECK(ncclCommInitRank(&comm, ranks.count, id, ranks.rank)); // waits for all ranks
  return comm;
}
// [end]
