// A grader's notes on ranks that wait by NCCL: common/grader/worker/ranks.hpp. waits WAY:
//   late     each rank is late now and then; no deadlock
//   sends    everyone sends first, without a group
//   norm     rank 0 leaves out a sum
//   absent   rank 0 never joins
#include "common/grader/worker/mpi_calls.hpp"

#include <nccl.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

void require(bool is) {
  if (!is)
    std::exit(EXIT_FAILURE);
}

constexpr int n = 100;

void sum(float *values, ncclComm_t comm) {
  require(ncclAllReduce(values, values, n, ncclFloat, ncclSum, comm, nullptr) == ncclSuccess);
}

} // namespace

int main(int argc, char **argv) {
  const std::string way = argc > 1 ? argv[1] : "late";
  MPI_Init(&argc, &argv);
  course::note_waits_of_nccl();
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int rank = course::rank_of_this_process();
  ncclUniqueId id{};
  if (rank == 0)
    require(ncclGetUniqueId(&id) == ncclSuccess);
  MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD);
  if (way == "absent" && rank == 0)
    return MPI_Finalize();
  ncclComm_t comm;
  require(ncclCommInitRank(&comm, ranks, id, rank) == ncclSuccess);
  float *values;
  require(cudaMalloc(&values, n * sizeof(float)) == cudaSuccess &&
          cudaMemset(values, 0, n * sizeof(float)) == cudaSuccess);
  for (int round = 0; round < 20; ++round) {
    sum(values, comm);
    if (round % ranks == rank)
      usleep(30'000);
    require(cudaDeviceSynchronize() == cudaSuccess);
  }
  if (way == "norm" && rank > 0)
    sum(values, comm);
  if (way == "sends") {
    require(ncclSend(values, n, ncclFloat, (rank + 1) % ranks, comm, nullptr) == ncclSuccess);
    require(ncclRecv(values, n, ncclFloat, (rank + ranks - 1) % ranks, comm, nullptr) ==
            ncclSuccess);
  }
  const bool good = cudaDeviceSynchronize() == cudaSuccess;
  MPI_Finalize();
  return good ? 0 : 1;
}
