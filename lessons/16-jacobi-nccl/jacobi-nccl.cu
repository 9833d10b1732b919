// Lesson 16: Jacobi's method on many GPUs with NCCL. Messages are work in a stream.
//
// Build: nvcc -O3 -std=c++17 -ccbin mpicxx -I. lessons/16-jacobi-nccl/jacobi-nccl.cu -lnccl -o jacobi-nccl
// Run:   mpirun -n 2 ./jacobi-nccl [columns [rows [steps]]]
#include "common/nccl.hpp"
#include "common/timer.hpp"
#include "lessons/16-jacobi-nccl/part.hpp"

// One Jacobi step, as in lesson 09, for `count` rows of a part from row `first` on.
__global__ void step(const float *now, float *next, int nx, int pitch, int first, int count) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < nx - 1 && y < count) {
    const std::size_t i = std::size_t(first + y) * pitch + x;
    next[i] = 0.25f * (now[i - 1] + now[i + 1] + now[i - pitch] + now[i + pitch]);
  }
}

void launch_step(const Part &part, int first, int count, cudaStream_t stream) {
  if (count <= 0)
    return;
  const dim3 block(32, 8), grid((part.nx + 31) / 32, (count + 7) / 8);
  step<<<grid, block, 0, stream>>>(part.d_now, part.d_next, part.nx, part.pitch, first, count);
  CUDA_CHECK(cudaGetLastError());
}

// Fills the two halo rows of d_next, after all earlier work in `stream`. The host does not wait.
// [exchange]
void exchange(const Part &part, ncclComm_t comm, cudaStream_t stream) {
  float *const above = part.d_next, *const first = above + part.pitch;
  float *const last = part.row(part.d_next, part.count), *const below = last + part.pitch;
  NCCL_CHECK(ncclGroupStart());
  NCCL_CHECK(ncclSend(first, part.nx, ncclFloat, part.previous_rank, comm, stream));
  NCCL_CHECK(ncclRecv(below, part.nx, ncclFloat, part.next_rank, comm, stream));
  NCCL_CHECK(ncclSend(last, part.nx, ncclFloat, part.next_rank, comm, stream));
  NCCL_CHECK(ncclRecv(above, part.nx, ncclFloat, part.previous_rank, comm, stream));
  NCCL_CHECK(ncclGroupEnd());
}
// [end]

int main(int argc, char **argv) {
  const Setup setup(argc, argv); // MPI_Init, and MPI_Finalize at the end
  // [connect]
  ncclUniqueId id;
  if (setup.rank == 0)
    NCCL_CHECK(ncclGetUniqueId(&id));
  MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD);
  ncclComm_t comm;
  NCCL_CHECK(ncclCommInitRank(&comm, setup.ranks, id, setup.rank)); // waits for all ranks
  // [end]
  Part part(setup.rank, setup.ranks, setup.nx, setup.ny);
  cudaStream_t edges, inner;
  CUDA_CHECK(cudaStreamCreateWithPriority(&edges, cudaStreamDefault, -1)); // before priority 0
  CUDA_CHECK(cudaStreamCreate(&inner));
  cudaEvent_t edges_done, inner_done;
  CUDA_CHECK(cudaEventCreate(&edges_done));
  CUDA_CHECK(cudaEventCreate(&inner_done));
  int correct = 1;
  const auto run = [&](const char *name, auto one_step) {
    one_step(); // not timed: the first launch and the first messages take longer
    part.start();
    CUDA_CHECK(cudaDeviceSynchronize());
    MPI_Barrier(MPI_COMM_WORLD); // all ranks start together
    const course::Timer timer;
    for (int i = 0; i < setup.steps; ++i) {
      one_step();
      std::swap(part.d_now, part.d_next);
    }
    CUDA_CHECK(cudaDeviceSynchronize()); // the host waits only here
    const double seconds = timer.seconds(), cells = 1.0 * setup.nx * setup.ny * setup.steps;
    if (setup.rank == 0)
      std::printf("  %-12s %10.1f ms %8.2f Gcell/s\n", name, 1e3 * seconds, 1e-9 * cells / seconds);
    correct &= verify(part, setup.rank, setup.steps);
  };
  // [one-stream]
  run("one stream", [&] {
    launch_step(part, 1, part.count, inner);
    exchange(part, comm, inner);
  });
  // [end]
  run("two streams", [&] {
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
  MPI_Allreduce(MPI_IN_PLACE, &correct, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return setup.rank == 0 ? course::verdict(correct) : !correct;
}
