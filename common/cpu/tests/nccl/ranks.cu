// NCCL between the ranks of MPI. ranks WAY [ROUNDS]:
//   all      each operation, against what it must give, ROUNDS times; a rank uses all its devices
//   late     one rank's host waits in MPI, not for its stream; the others wait for its values
//   unfit    the last rank sums another count
//   left-out the last rank leaves out the sum
//   absent   the last rank never joins
//   no-id    the id does not come to the last rank
#include "../checked_call.hpp"

#include <mpi.h>
#include <nccl.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

void check_nccl(ncclResult_t result, int line) {
  if (result == ncclSuccess)
    return;
  std::fprintf(stderr, "line %d: %s: %s\n", line, ncclGetErrorString(result),
               ncclGetLastError(nullptr));
  std::exit(EXIT_FAILURE);
}
#define NCCL_CHECK(call) check_nccl((call), __LINE__)

// All ranks, from MPI_Init to MPI_Finalize. MPI ends the program at an error of its own; a rank
// that leaves by exit() ends the others.
struct Ranks {
  int rank = 0, count = 0;

  Ranks(int *argc, char ***argv) {
    MPI_Init(argc, argv);
    std::atexit([] {
      int ended = 0;
      MPI_Finalized(&ended);
      if (!ended)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    });
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
  }
  ~Ranks() { MPI_Finalize(); }
  Ranks(const Ranks &) = delete;
  Ranks &operator=(const Ranks &) = delete;
};

constexpr int n = 70000; // more than a socket takes at once

__global__ void fill(float *values, int count, float first) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    values[i] = first + i % 5;
}

// One rank: its device, with an input and an output.
struct Member {
  int number, device;
  ncclComm_t comm;
  cudaStream_t stream;
  float *from, *to;
};

int wrong = 0;

// Checks that element i of the output is expected(i).
template <class F> void compare(const char *what, const Member &m, int count, const F &expected) {
  std::vector<float> values(count);
  CUDA_CHECK(cudaMemcpyAsync(values.data(), m.to, count * sizeof(float), cudaMemcpyDeviceToHost,
                             m.stream));
  CUDA_CHECK(cudaStreamSynchronize(m.stream));
  for (int i = 0; i < count; ++i)
    if (values[i] != expected(i)) {
      std::printf("%s, member %d: element %d is %g, not %g\n", what, m.number, i, values[i],
                  expected(i));
      ++wrong;
      return;
    }
}

class Communicators {
public:
  Communicators(const Ranks &ranks, bool all_get_id) {
    int devices = 0;
    CUDA_CHECK(cudaGetDeviceCount(&devices));
    count = devices * ranks.count;
    ncclUniqueId id{};
    if (ranks.rank == 0)
      NCCL_CHECK(ncclGetUniqueId(&id));
    MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (!all_get_id && ranks.rank == ranks.count - 1)
      id = {};
    members.resize(devices);
    NCCL_CHECK(ncclGroupStart());
    for (int device = 0; device < devices; ++device) {
      CUDA_CHECK(cudaSetDevice(device));
      members[device].number = devices * ranks.rank + device;
      members[device].device = device;
      NCCL_CHECK(ncclCommInitRank(&members[device].comm, count, id, members[device].number));
    }
    NCCL_CHECK(ncclGroupEnd());
    for (Member &m : members) {
      CUDA_CHECK(cudaSetDevice(m.device));
      CUDA_CHECK(cudaStreamCreate(&m.stream));
      CUDA_CHECK(cudaMalloc(&m.from, n * sizeof(float)));
      CUDA_CHECK(cudaMalloc(&m.to, n * sizeof(float)));
    }
  }
  Communicators(const Communicators &) = delete;
  Communicators &operator=(const Communicators &) = delete;
  ~Communicators() {
    for (Member &m : members) {
      CUDA_CHECK(cudaSetDevice(m.device));
      CUDA_CHECK(cudaFree(m.from));
      CUDA_CHECK(cudaFree(m.to));
      NCCL_CHECK(ncclCommDestroy(m.comm));
    }
  }

  // Fills the inputs with number + `more` + i % 5, and calls f for each member as a group.
  template <class F> void group(int more, const F &f) {
    for (Member &m : members) {
      CUDA_CHECK(cudaSetDevice(m.device));
      fill<<<(n + 127) / 128, 128, 0, m.stream>>>(m.from, n, float(m.number + more));
      CUDA_CHECK(cudaGetLastError());
    }
    NCCL_CHECK(ncclGroupStart());
    for (Member &m : members)
      f(m);
    NCCL_CHECK(ncclGroupEnd());
  }

  int count; // of all processes
  std::vector<Member> members;
};

// The sum of element i of all inputs, filled with `more`.
float sum(const Communicators &all, int more, int i) {
  return float(all.count * (all.count - 1) / 2 + all.count * (more + i % 5));
}

void try_all(Communicators &all, int round) {
  const int last = all.count - 1;
  all.group(round, [](Member &m) {
    NCCL_CHECK(ncclAllReduce(m.from, m.to, n, ncclFloat, ncclSum, m.comm, m.stream));
  });
  for (const Member &m : all.members)
    compare("allReduce", m, n, [&](int i) { return sum(all, round, i); });
  all.group(round + 1, [&](Member &m) {
    NCCL_CHECK(ncclReduce(m.from, m.to, n, ncclFloat, ncclSum, 0, m.comm, m.stream));
  });
  for (const Member &m : all.members)
    compare("reduce", m, n, [&](int i) { return sum(all, m.number == 0 ? round + 1 : round, i); });
  all.group(round, [&](Member &m) {
    NCCL_CHECK(ncclSend(m.from, n, ncclFloat, (m.number + 1) % all.count, m.comm, m.stream));
    NCCL_CHECK(ncclRecv(m.to, n, ncclFloat, (m.number + last) % all.count, m.comm, m.stream));
  });
  for (const Member &m : all.members)
    compare("ring", m, n,
            [&](int i) { return float((m.number + last) % all.count + round + i % 5); });
}

void try_late(Communicators &all, const Ranks &ranks) {
  all.group(0, [](Member &m) {
    NCCL_CHECK(ncclAllReduce(m.from, m.to, n, ncclFloat, ncclSum, m.comm, m.stream));
  });
  if (ranks.rank < ranks.count - 1) // the last one does not wait for its stream
    for (const Member &m : all.members)
      CUDA_CHECK(cudaStreamSynchronize(m.stream));
  MPI_Barrier(MPI_COMM_WORLD);
  for (const Member &m : all.members)
    compare("late", m, n, [&](int i) { return sum(all, 0, i); });
}

} // namespace

int main(int argc, char **argv) {
  const Ranks ranks(&argc, &argv);
  const std::string way = argc > 1 ? argv[1] : "all";
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 3;
  if (way == "absent" && ranks.rank == ranks.count - 1) {
    ncclUniqueId id;
    MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  {
    Communicators all(ranks, way != "no-id");
    const bool is_last = ranks.rank == ranks.count - 1;
    for (int round = 0; way == "all" && round < rounds; ++round)
      try_all(all, round);
    if (way == "late")
      try_late(all, ranks);
    if (way == "unfit" || (way == "left-out" && !is_last)) {
      all.group(0, [&](Member &m) {
        NCCL_CHECK(
            ncclAllReduce(m.from, m.to, is_last ? n - 1 : n, ncclFloat, ncclSum, m.comm, m.stream));
      });
      CUDA_CHECK(cudaStreamSynchronize(all.members[0].stream));
    }
  }
  int all_wrong = 0;
  MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (ranks.rank == 0)
    std::puts(all_wrong == 0 ? "PASS" : "FAIL");
  return all_wrong == 0 ? 0 : 1;
}
