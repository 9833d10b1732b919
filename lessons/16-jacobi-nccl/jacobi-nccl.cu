// Lesson 16: Jacobi's method on many GPUs, with NCCL: the exchange is work in a stream, and the
// host only queues it.
//
// Build: nvcc -O3 -ccbin mpicxx -I. lessons/16-jacobi-nccl/jacobi-nccl.cu -lnccl -o jacobi-nccl
// Run:   mpirun -n 2 ./jacobi-nccl [columns [rows [steps]]]
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "lessons/16-jacobi-nccl/connect.hpp"
#include "lessons/16-jacobi-nccl/halo.hpp"
#include "lessons/16-jacobi-nccl/proof.hpp"
#include "lessons/16-jacobi-nccl/setup.hpp"
#include "lessons/16-jacobi-nccl/streams.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

// One Jacobi step for `rows` rows of a part: first, first + stride, and so on. So one launch
// computes the first and the last row, which other ranks need, and another one the rows between.
// [kernel]
__global__ void step(const float *now, float *next, int nx, int pitch, int first, int stride,
                     int rows, double *squares) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  float change = 0;
  if (x > 0 && x < nx - 1 && row < rows) {
    const std::size_t i = std::size_t(first + row * stride) * pitch + x;
    next[i] = 0.25f * (now[i - 1] + now[i + 1] + now[i - pitch] + now[i + pitch]);
    change = next[i] - now[i];
  }
  if (squares == nullptr) // the same for all threads
    return;
  double sum = double(change) * change;
  for (int away = 16; away > 0; away /= 2)
    sum += __shfl_down_sync(0xFFFFFFFFu, sum, away);
  if (threadIdx.x == 0)
    atomicAdd(squares, sum);
}
// [end]

void launch(const Part &part, int first, int stride, int rows, bool with_residual,
            cudaStream_t stream) {
  if (rows <= 0)
    return;
  const dim3 block(32, 8), grid((part.nx + 31) / 32, (rows + 7) / 8);
  step<<<grid, block, 0, stream>>>(part.d_now, part.d_next, part.nx, part.pitch, first, stride,
                                   rows, with_residual ? part.d_squares : nullptr);
  CUDA_CHECK(cudaGetLastError());
}

// One step of a part, with the exchange of its edges. Returns the residual, the same on all ranks,
// or infinity where nobody asks for it.
double advance(const Part &part, ncclComm_t comm, const Streams &streams, bool with_residual) {
  // [step]
  CUDA_CHECK(cudaStreamWaitEvent(streams.inner, streams.edges_done)); // of the step before
  launch(part, 1, part.count - 1, std::min(part.count, 2), with_residual, streams.edges);
  CUDA_CHECK(cudaEventRecord(streams.edges_done, streams.edges));
  launch(part, 2, 1, part.count - 2, with_residual, streams.inner);
  CUDA_CHECK(cudaEventRecord(streams.inner_done, streams.inner));
  exchange(part, comm, streams.edges);
  CUDA_CHECK(cudaStreamWaitEvent(streams.edges, streams.inner_done));
  // [end]
  if (!with_residual)
    return std::numeric_limits<double>::infinity();
  double *const d_sum = part.d_squares;
  double sum = 0;
  // [residual]
  NCCL_CHECK(ncclAllReduce(d_sum, d_sum, 1, ncclDouble, ncclSum, comm, streams.edges));
  CUDA_CHECK(cudaMemcpyAsync(&sum, d_sum, sizeof sum, cudaMemcpyDefault, streams.edges));
  CUDA_CHECK(cudaMemsetAsync(d_sum, 0, sizeof sum, streams.edges));
  CUDA_CHECK(cudaStreamSynchronize(streams.edges)); // the host waits: nowhere else
  // [end]
  return std::sqrt(sum);
}

int main(int argc, char **argv) {
  const course::Ranks ranks(&argc, &argv);
  const Mesh mesh = mesh_from(ranks, argc, argv);
  const int sharing = course::choose_device(); // ranks on this GPU
  if (!fits(ranks, mesh, sharing))
    return 2;
  Part part(ranks.rank, ranks.count, mesh);
  const ncclComm_t comm = connect(ranks);
  const Streams streams;
  if (ranks.rank == 0)
    std::printf("%d columns, %d rows; ranks: %d with at least %d rows\n\n", mesh.nx, mesh.ny,
                ranks.count, mesh.ny / ranks.count);

  advance(part, comm, streams, true); // not timed: the kernel is loaded, NCCL connects the ranks
  part.start(mesh.ny);

  MPI_CHECK(MPI_Barrier(MPI_COMM_WORLD)); // all ranks start together
  const course::Timer timer;
  int done = 0;
  double residual = std::numeric_limits<double>::infinity();
  while (done < mesh.max_steps && residual > tolerance) {
    const bool with_residual = ++done % residual_every == 0 || done == mesh.max_steps;
    residual = advance(part, comm, streams, with_residual);
    std::swap(part.d_now, part.d_next);
    if (with_residual && ranks.rank == 0)
      std::printf("%5d, %.6f\n", done, residual);
  }
  const double seconds = timer.seconds(); // the last sum ended on no rank before all came to it

  const bool correct = prove(ranks, part, expected_after(ranks, part, mesh.ny, done), residual);
  NCCL_CHECK(ncclCommDestroy(comm));
  if (ranks.rank > 0)
    return correct ? EXIT_SUCCESS : EXIT_FAILURE;
  std::printf("\n%d steps, residual %g\n", done, residual);
  course::figure("time", seconds, "s");
  course::figure("cells", 1e-9 * mesh.nx * mesh.ny * done / seconds, "Gcell/s");
  return course::verdict(correct);
}
