// Lesson 15: Jacobi's method on many GPUs. Every rank has a GPU and some rows of the mesh.
//
// Build: nvcc -O3 -std=c++17 -arch=sm_75 -ccbin mpicxx -I. lessons/15-jacobi-mpi/jacobi-mpi.cu -o jacobi-mpi
// Run:   mpirun -n 2 ./jacobi-mpi [columns [rows [steps]]]
#include "common/buffer.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/jacobi.hpp"
#include "common/mpi.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <utility>

// One Jacobi step, as in lesson 09, for `count` rows of a part, starting at row `first`.
__global__ void step(const float *now, float *next, int nx, int first, int count) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < nx - 1 && y < count) {
    const std::size_t i = std::size_t(first + y) * nx + x;
    next[i] = 0.25f * (now[i - 1] + now[i + 1] + now[i - nx] + now[i + nx]);
  }
}

// As in lesson 07, version 3: adds the squares of all changes to *squares.
__global__ void add_squares(const float *now, const float *next, std::size_t n, double *squares) {
  double sum = 0;
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float change = next[i] - now[i];
    sum += double(change) * change;
  }
  for (int half = 16; half > 0; half /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, half);
  if (threadIdx.x % 32 == 0)
    atomicAdd(squares, sum);
}

void launch_step(const course::Part &part, int first, int count, cudaStream_t stream) {
  if (count <= 0)
    return;
  const dim3 block(32, 8), grid((part.nx + 31) / 32, (count + 7) / 8);
  step<<<grid, block, 0, stream>>>(part.d_now.data(), part.d_next.data(), part.nx, first, count);
  CUDA_CHECK(cudaGetLastError());
}

// The residual of the step from d_now to d_next. All ranks call it and get the same number.
double residual_of(const course::Part &part, const course::Buffer<double> &d_squares) {
  const std::size_t cells = std::size_t(part.count) * part.pitch;
  const int blocks = 8 * course::multiprocessors();
  CUDA_CHECK(cudaMemset(d_squares.data(), 0, d_squares.bytes()));
  add_squares<<<blocks, 256>>>(part.row(part.d_now, 1), part.row(part.d_next, 1), cells,
                               d_squares.data());
  CUDA_CHECK(cudaGetLastError());

  double mine = 0, all = 0;
  CUDA_CHECK(cudaMemcpy(&mine, d_squares.data(), sizeof mine, cudaMemcpyDeviceToHost));
  // [sum]
  MPI_CHECK(MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
  // [end]
  return std::sqrt(all);
}

// The rows of the messages, in pinned host memory: two to send, two to receive.
struct HostRows {
  float *first, *last, *above, *below;
};

// Fills the two halo rows of d_next, after all earlier work in `stream`.
// [exchange]
void exchange(const course::Part &part, const HostRows &host, cudaStream_t stream) {
  const int n = part.nx;
  const auto copy_row = [&](float *to, const float *from) {
    CUDA_CHECK(cudaMemcpyAsync(to, from, n * sizeof(float), cudaMemcpyDefault, stream));
  };
  copy_row(host.first, part.row(part.d_next, 1));
  copy_row(host.last, part.row(part.d_next, part.count));
  CUDA_CHECK(cudaStreamSynchronize(stream)); // now the two rows are in host memory

  MPI_CHECK(MPI_Sendrecv(host.first, n, MPI_FLOAT, part.previous_rank, 0, host.below, n, MPI_FLOAT,
                         part.next_rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  MPI_CHECK(MPI_Sendrecv(host.last, n, MPI_FLOAT, part.next_rank, 1, host.above, n, MPI_FLOAT,
                         part.previous_rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));

  copy_row(part.row(part.d_next, 0), host.above);
  copy_row(part.row(part.d_next, part.count + 1), host.below);
}
// [end]

// Repeats `one_step`, prints the time, and returns true if the result is correct.
template <class Step>
bool run(const course::Ranks &ranks, const course::Mesh &mesh, course::Part &part,
         const course::Buffer<double> &d_squares, const char *name, Step one_step) {
  one_step(); // not timed: the first launches and messages take longer
  residual_of(part, d_squares);
  part.start();
  MPI_CHECK(MPI_Barrier(MPI_COMM_WORLD)); // all ranks start together

  const course::Timer timer;
  double residual = 1;
  int steps = 0;
  for (; steps < mesh.max_steps && !(residual <= course::tolerance); ++steps) {
    one_step();
    if (steps % course::residual_every == 0 || steps == mesh.max_steps - 1)
      residual = residual_of(part, d_squares);
    std::swap(part.d_now, part.d_next);
  }
  const double seconds = timer.seconds(); // residual_of has waited for the GPUs of all ranks

  if (ranks.rank == 0)
    std::printf("  %-12s %d steps, residual %.6f %10.1f ms %8.2f Gcell/s\n", name, steps, residual,
                1e3 * seconds, 1e-9 * mesh.nx * mesh.ny * steps / seconds);
  return course::verify_part(ranks, mesh, part, steps, residual);
}

int main(int argc, char **argv) {
  const course::Ranks ranks(&argc, &argv); // MPI_Init, and MPI_Finalize at the end
  const course::Mesh mesh = course::mesh_from(ranks, argc, argv);
  const int sharing = course::choose_device(); // number of ranks on this GPU
  if (ranks.rank == 0)
    std::printf("%d x %d cells; ranks: %d, per GPU: %d\n\n", mesh.nx, mesh.ny, ranks.count,
                sharing);

  course::Part part(ranks.rank, ranks.count, mesh, mesh.nx);
  const course::Buffer<double> d_squares(1);
  HostRows host;
  for (float **row : {&host.first, &host.last, &host.above, &host.below})
    CUDA_CHECK(cudaMallocHost(row, mesh.nx * sizeof(float)));

  cudaStream_t edges, inner;
  cudaEvent_t inner_done;
  CUDA_CHECK(cudaStreamCreateWithPriority(&edges, cudaStreamDefault, -1)); // before priority 0
  CUDA_CHECK(cudaStreamCreate(&inner));
  CUDA_CHECK(cudaEventCreate(&inner_done));

  bool correct = run(ranks, mesh, part, d_squares, "staged", [&] {
    launch_step(part, 1, part.count, edges);
    exchange(part, host, edges);
  });
  correct &= run(ranks, mesh, part, d_squares, "overlapped", [&] {
    // [overlap]
    CUDA_CHECK(cudaStreamWaitEvent(edges, inner_done)); // the inner rows of the previous step
    launch_step(part, 1, 1, edges);
    launch_step(part, part.count, 1, edges);
    launch_step(part, 2, part.count - 2, inner);
    CUDA_CHECK(cudaEventRecord(inner_done, inner));
    exchange(part, host, edges);
    // [end]
  });

  CUDA_CHECK(cudaStreamDestroy(edges));
  CUDA_CHECK(cudaStreamDestroy(inner));
  CUDA_CHECK(cudaEventDestroy(inner_done));
  for (float *row : {host.first, host.last, host.above, host.below})
    CUDA_CHECK(cudaFreeHost(row));
  return ranks.rank == 0 ? course::verdict(correct) : !correct;
}
