// MPI for the lessons: ranks that start, choose a device and end together, also after an error.
#pragma once

#include "common/check.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace course {

// If `status` is not MPI_SUCCESS, prints the failed call, its file and line and the reason, and
// ends all ranks with exit code 1.
inline void check_mpi(int status, const char *call, const char *file, int line) {
  if (status == MPI_SUCCESS)
    return;
  char why[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(status, why, &length);
  std::fflush(stdout);
  std::fprintf(stderr, "%s:%d: %s\n  failed: %s\n", file, line, call, why);
  std::exit(EXIT_FAILURE);
}

// MPI_CHECK(MPI_Barrier(MPI_COMM_WORLD));
#define MPI_CHECK(call) ::course::check_mpi((call), #call, __FILE__, __LINE__)

// The number of processes that the launcher started, from its variables; 1 without a launcher. The
// order matters: under mpirun, SLURM_STEP_NUM_TASKS does not count the ranks.
inline int processes_started() {
  for (const char *name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"})
    if (const char *number = std::getenv(name))
      return std::atoi(number);
  return 1;
}

// All ranks, from MPI_Init to MPI_Finalize. A rank that calls exit() in between, as CUDA_CHECK and
// MPI_CHECK do, ends all others: without it, they could wait for its messages forever.
class Ranks {
public:
  Ranks(int *argc, char ***argv) {
    MPI_Init(argc, argv);
    std::atexit([] {
      int ended = 0;
      MPI_Finalized(&ended);
      if (!ended)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    });
    // By default, MPI ends all ranks after an error. Now it returns an error code to MPI_CHECK.
    MPI_CHECK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    MPI_CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    MPI_CHECK(MPI_Comm_size(MPI_COMM_WORLD, &count));
    if (const int started = processes_started(); count == 1 && started > 1) {
      std::fprintf(stderr,
                   "%d processes were started, but this MPI does not connect them: each one would "
                   "be rank 0 of 1.\n  Start them with the mpirun or mpiexec of the MPI that the "
                   "program was compiled with,\n  or with another srun --mpi=... (srun --mpi=list "
                   "shows the choice; MPICH: SLURM_MPI_TYPE=pmi2).\n",
                   started);
      std::exit(EXIT_FAILURE);
    }
  }
  ~Ranks() { MPI_Finalize(); }
  Ranks(const Ranks &) = delete;
  Ranks &operator=(const Ranks &) = delete;

  // Runs `work` on rank 0 first, then on the other ranks. So an error that would occur on all
  // ranks, such as a wrong argument, is reported only once.
  template <class Work> void first_rank_first(Work work) const {
    if (rank > 0)
      MPI_CHECK(MPI_Barrier(MPI_COMM_WORLD));
    work();
    if (rank == 0)
      MPI_CHECK(MPI_Barrier(MPI_COMM_WORLD));
  }

  // The sum of a number over all ranks, on every rank.
  double sum(double mine) const {
    double all = 0;
    MPI_CHECK(MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
    return all;
  }

  int rank = 0, count = 0;
};

// Chooses a GPU of the node for this rank: the first rank of the node gets the first GPU, and so
// on. This also works if each rank sees only one GPU. If a rank sees no GPU, the program ends. If a
// node has more ranks than GPUs, ranks share a GPU. Returns the number of ranks that use this
// rank's GPU, including this rank.
inline int choose_device() {
  MPI_Comm node; // the ranks that share memory with this one
  int place = 0, neighbours = 0, devices = 0;
  MPI_CHECK(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
  MPI_CHECK(MPI_Comm_rank(node, &place));
  MPI_CHECK(MPI_Comm_size(node, &neighbours));
  CUDA_CHECK(cudaGetDeviceCount(&devices));
  const int device = place % devices;
  CUDA_CHECK(cudaSetDevice(device));
  // Device 0 may be a different GPU for each rank: the PCI bus id identifies a GPU.
  std::array<char, 16> bus{};
  std::vector<std::array<char, 16>> all(neighbours);
  CUDA_CHECK(cudaDeviceGetPCIBusId(bus.data(), int(bus.size()), device));
  MPI_CHECK(MPI_Allgather(bus.data(), 16, MPI_CHAR, all.data(), 16, MPI_CHAR, node));
  MPI_CHECK(MPI_Comm_free(&node));
  return int(std::count(all.begin(), all.end(), bus));
}

} // namespace course
