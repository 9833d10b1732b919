// expect: fail deadlock
// Rank 0 waits for a rank that never joins.
#include "common/mpi.hpp"
#include "tests/grader/sum.hpp"

#include <nccl.h>

void sum(int, float *) {
  int rank, ranks;
  MPI_CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  MPI_CHECK(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
  if (rank > 0)
    return;
  ncclUniqueId id;
  ncclGetUniqueId(&id);
  ncclComm_t comm;
  ncclCommInitRank(&comm, ranks + 1, id, rank);
}

int main() { return 0; }
