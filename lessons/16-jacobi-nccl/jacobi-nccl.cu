// Lesson 16: Jacobi's method on many GPUs with NCCL. Messages are work in a stream.
//
// Build: nvcc -O3 -std=c++17 -ccbin mpicxx -I. lessons/16-jacobi-nccl/jacobi-nccl.cu -lnccl -o jacobi-nccl
// Run:   mpirun -n 2 ./jacobi-nccl [columns [rows [steps]]]
#include "common/check.hpp"
#include "common/jacobi.hpp"
#include "common/mpi.hpp"
#include "common/nccl.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <cstddef>
#include <cstdio>
#include <utility>

// One Jacobi step, as in lesson 15, for `count` rows of a part, starting at row `first`.
__global__ void step(const float *now, float *next, int nx, int pitch, int first, int count) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < nx - 1 && y < count) {
    const std::size_t i = std::size_t(first + y) * pitch + x;
    next[i] = 0.25f * (now[i - 1] + now[i + 1] + now[i - pitch] + now[i + pitch]);
  }
}

void launch_step(const course::Part &part, int first, int count, cudaStream_t stream) {
  if (count <= 0)
    return;
  const dim3 block(32, 8), grid((part.nx + 31) / 32, (count + 7) / 8);
  step<<<grid, block, 0, stream>>>(part.d_now.data(), part.d_next.data(), part.nx, part.pitch,
                                   first, count);
  CUDA_CHECK(cudaGetLastError());
}

// Fills the two halo rows of d_next, after all earlier work in `stream`. The host does not wait.
// [exchange]
void exchange(const course::Part &part, ncclComm_t comm, cudaStream_t stream) {
  float *const above = part.row(part.d_next, 0), *const first = part.row(part.d_next, 1);
  float *const last = part.row(part.d_next, part.count), *const below = last + part.pitch;
  NCCL_CHECK(ncclGroupStart());
  NCCL_CHECK(ncclSend(first, part.nx, ncclFloat, part.previous_rank, comm, stream));
  NCCL_CHECK(ncclRecv(below, part.nx, ncclFloat, part.next_rank, comm, stream));
  NCCL_CHECK(ncclSend(last, part.nx, ncclFloat, part.next_rank, comm, stream));
  NCCL_CHECK(ncclRecv(above, part.nx, ncclFloat, part.previous_rank, comm, stream));
  NCCL_CHECK(ncclGroupEnd());
}
// [end]

// Connects all ranks.
ncclComm_t connect(const course::Ranks &ranks) {
  // [connect]
  ncclUniqueId id;
  if (ranks.rank == 0)
    NCCL_CHECK(ncclGetUniqueId(&id));
  MPI_CHECK(MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD));

  ncclComm_t comm;
  NCCL_CHECK(ncclCommInitRank(&comm, ranks.count, id, ranks.rank)); // waits for all ranks
  // [end]
  return comm;
}

// Repeats `one_step`, prints the time, and returns true if the result is correct.
template <class Step>
bool run(const course::Ranks &ranks, const course::Mesh &mesh, course::Part &part, const char *name,
         Step one_step) {
  one_step(); // not timed: the first launch and the first messages take longer
  part.start();
  CUDA_CHECK(cudaDeviceSynchronize());
  MPI_CHECK(MPI_Barrier(MPI_COMM_WORLD)); // all ranks start together

  const course::Timer timer;
  for (int i = 0; i < mesh.max_steps; ++i) {
    one_step();
    std::swap(part.d_now, part.d_next);
  }
  CUDA_CHECK(cudaDeviceSynchronize()); // the host waits only here
  const double seconds = timer.seconds(), cells = 1.0 * mesh.nx * mesh.ny * mesh.max_steps;

  if (ranks.rank == 0)
    std::printf("  %-12s %10.1f ms %8.2f Gcell/s\n", name, 1e3 * seconds, 1e-9 * cells / seconds);
  return course::verify_part(ranks, mesh, part, mesh.max_steps);
}

int main(int argc, char **argv) {
  const course::Ranks ranks(&argc, &argv); // MPI_Init, and MPI_Finalize at the end
  const course::Mesh mesh = course::mesh_from(ranks, argc, argv);
  course::choose_device(); // before ncclCommInitRank
  if (ranks.rank == 0)
    std::printf("%d x %d cells, %d steps; ranks: %d\n\n", mesh.nx, mesh.ny, mesh.max_steps,
                ranks.count);

  const ncclComm_t comm = connect(ranks);
  course::Part part(ranks.rank, ranks.count, mesh, (mesh.nx + 31) / 32 * 32);
  cudaStream_t edges, inner;
  cudaEvent_t edges_done, inner_done;
  CUDA_CHECK(cudaStreamCreateWithPriority(&edges, cudaStreamDefault, -1)); // before priority 0
  CUDA_CHECK(cudaStreamCreate(&inner));
  CUDA_CHECK(cudaEventCreate(&edges_done));
  CUDA_CHECK(cudaEventCreate(&inner_done));

  bool correct = run(ranks, mesh, part, "one stream", [&] {
    // [one-stream]
    launch_step(part, 1, part.count, inner);
    exchange(part, comm, inner);
    // [end]
  });
  correct &= run(ranks, mesh, part, "two streams", [&] {
    // [two-streams]
    launch_step(part, 1, 1, edges);
    launch_step(part, part.count, 1, edges);
    CUDA_CHECK(cudaEventRecord(edges_done, edges));
    launch_step(part, 2, part.count - 2, inner);
    CUDA_CHECK(cudaEventRecord(inner_done, inner));
    exchange(part, comm, edges);
    CUDA_CHECK(cudaStreamWaitEvent(inner, edges_done)); // the next step's inner rows
    CUDA_CHECK(cudaStreamWaitEvent(edges, inner_done)); // the next step's edges
    // [end]
  });

  NCCL_CHECK(ncclCommDestroy(comm));
  CUDA_CHECK(cudaStreamDestroy(edges));
  CUDA_CHECK(cudaStreamDestroy(inner));
  CUDA_CHECK(cudaEventDestroy(edges_done));
  CUDA_CHECK(cudaEventDestroy(inner_done));
  return ranks.rank == 0 ? course::verdict(correct) : !correct;
}
