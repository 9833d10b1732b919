// Lesson 15, versions: three ways to exchange the halo, with a faster kernel.
//
// Build: nvcc -O3 -std=c++17 -arch=sm_75 -ccbin mpicxx -I. lessons/15-jacobi-mpi/jacobi-mpi-versions.cu -o jacobi-mpi-versions
// Run:   mpirun -n 2 ./jacobi-mpi-versions [columns [rows [steps]]]
#include "common/buffer.hpp"
#include "common/check.hpp"
#include "common/figures.hpp"
#include "common/jacobi.hpp"
#include "common/jacobi_step.hpp"
#include "common/mpi.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

// True if MPI reports, after MPI_Init, that it accepts device pointers. For an MPI that has no such
// query, set the environment variable COURSE_CUDA_AWARE to any value.
bool mpi_is_cuda_aware() {
#ifdef MPIX_CUDA_AWARE_SUPPORT
  if (MPIX_Query_cuda_support() == 1)
    return true;
#endif
  return std::getenv("COURSE_CUDA_AWARE") != nullptr;
}

// Two streams, and pinned host memory for the rows of the messages.
struct Queue {
  cudaStream_t edges, inner;
  cudaEvent_t inner_done;
  float *first, *last, *above, *below;

  explicit Queue(std::size_t row_bytes) {
    CUDA_CHECK(cudaStreamCreateWithPriority(&edges, cudaStreamDefault, -1));
    CUDA_CHECK(cudaStreamCreate(&inner));
    CUDA_CHECK(cudaEventCreateWithFlags(&inner_done, cudaEventDisableTiming));
    for (float **row : {&first, &last, &above, &below})
      CUDA_CHECK(cudaMallocHost(row, row_bytes));
  }
  ~Queue() {
    cudaStreamDestroy(edges);
    cudaStreamDestroy(inner);
    cudaEventDestroy(inner_done);
    for (float *row : {first, last, above, below})
      cudaFreeHost(row);
  }
  Queue(const Queue &) = delete;
  Queue &operator=(const Queue &) = delete;
};

// Sends the first row to the previous rank and the last row to the next rank, and receives two
// rows. All addresses are in host memory. If MPI is CUDA-aware, they may all be in device memory.
void exchange_rows(const course::Part &part, const float *first, const float *last, float *above,
                   float *below) {
  const int n = part.nx;
  MPI_CHECK(MPI_Sendrecv(first, n, MPI_FLOAT, part.previous_rank, 0, below, n, MPI_FLOAT,
                         part.next_rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  MPI_CHECK(MPI_Sendrecv(last, n, MPI_FLOAT, part.next_rank, 1, above, n, MPI_FLOAT,
                         part.previous_rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

// Fills the halo of d_next through host memory, as in jacobi-mpi.cu.
void exchange_staged(const course::Part &part, const Queue &queue, cudaStream_t stream) {
  const auto copy_row = [&](float *to, const float *from) {
    CUDA_CHECK(cudaMemcpyAsync(to, from, part.nx * sizeof(float), cudaMemcpyDefault, stream));
  };
  copy_row(queue.first, part.row(part.d_next, 1));
  copy_row(queue.last, part.row(part.d_next, part.count));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  exchange_rows(part, queue.first, queue.last, queue.above, queue.below);
  copy_row(part.row(part.d_next, 0), queue.above);
  copy_row(part.row(part.d_next, part.count + 1), queue.below);
}

// Version 1: all rows, then the exchange.
void staged(const course::Part &part, const Queue &queue, double *d_squares) {
  course::launch_fast_step(part, course::own_rows(part), d_squares, queue.inner);
  exchange_staged(part, queue, queue.inner);
}

// Version 2: MPI gets device pointers.
void cuda_aware(const course::Part &part, const Queue &queue, double *d_squares) {
  course::launch_fast_step(part, course::own_rows(part), d_squares, queue.inner);
  // [cuda-aware]
  CUDA_CHECK(cudaStreamSynchronize(queue.inner)); // MPI does not wait for streams
  exchange_rows(part, part.row(part.d_next, 1), part.row(part.d_next, part.count),
                part.row(part.d_next, 0), part.row(part.d_next, part.count + 1));
  // [end]
}

// Version 3: the first and the last row, then the inner rows during the exchange.
void overlapped(const course::Part &part, const Queue &queue, double *d_squares) {
  CUDA_CHECK(cudaStreamWaitEvent(queue.edges, queue.inner_done));
  course::launch_fast_step(part, course::edge_rows(part), d_squares, queue.edges);
  course::launch_fast_step(part, course::inner_rows(part), d_squares, queue.inner);
  CUDA_CHECK(cudaEventRecord(queue.inner_done, queue.inner));
  exchange_staged(part, queue, queue.edges);
}

// Times a version. True if its result is correct.
template <class Version>
bool run(const course::Ranks &ranks, const course::Mesh &mesh, course::Part &part,
         const Queue &queue, double *d_squares, double copy_rate, const char *name,
         Version version) {
  version(part, queue, d_squares); // not timed: the first launches and messages take longer
  version(part, queue, nullptr);
  part.start();
  CUDA_CHECK(cudaDeviceSynchronize());
  MPI_CHECK(MPI_Barrier(MPI_COMM_WORLD)); // all ranks start together

  const course::Timer timer;
  double residual = 1;
  int steps = 0;
  for (; steps < mesh.max_steps && !(residual <= course::tolerance); ++steps) {
    if (steps % course::residual_every == 0 || steps == mesh.max_steps - 1) {
      double mine = 0; // the default stream waits for the other streams, and they wait for it
      CUDA_CHECK(cudaMemset(d_squares, 0, sizeof mine));
      version(part, queue, d_squares);
      CUDA_CHECK(cudaMemcpy(&mine, d_squares, sizeof mine, cudaMemcpyDeviceToHost));
      residual = std::sqrt(ranks.sum(mine));
    } else {
      version(part, queue, nullptr);
    }
    std::swap(part.d_now, part.d_next);
  }
  const double seconds = timer.seconds(); // the last sum has waited for all ranks

  if (ranks.rank == 0) {
    const double rate = 8e-9 * mesh.nx * mesh.ny * steps / seconds; // one load, one store
    course::figure(name, rate, "GB/s",
                   {.limit = 1e-9 * copy_rate, .limit_is = "copy bandwidth", .seconds = seconds});
  }
  return course::verify_part(ranks, mesh, part, steps, residual);
}

int main(int argc, char **argv) {
  const course::Ranks ranks(&argc, &argv);
  const course::Mesh mesh = course::mesh_from(ranks, argc, argv);
  const int sharing = course::choose_device(); // ranks on this GPU
  const int pitch = (mesh.nx + 31) / 32 * 32;  // float4 needs rows at multiples of 16 bytes
  course::Part part(ranks.rank, ranks.count, mesh, pitch);
  const Queue queue(mesh.nx * sizeof(float));
  const course::Buffer<double> squares(std::vector<double>{0});
  double *const d_squares = squares.data();
  const double copy_rate = course::copy_rate(ranks, part, sharing);
  if (ranks.rank == 0)
    std::printf("%d x %d cells; ranks: %d, per GPU: %d\n\n", mesh.nx, mesh.ny, ranks.count,
                sharing);

  bool correct = run(ranks, mesh, part, queue, d_squares, copy_rate, "staged", staged);
  if (mpi_is_cuda_aware())
    correct &= run(ranks, mesh, part, queue, d_squares, copy_rate, "CUDA-aware", cuda_aware);
  else if (ranks.rank == 0)
    std::puts("   CUDA-aware: skipped, because this MPI does not accept device pointers");
  correct &= run(ranks, mesh, part, queue, d_squares, copy_rate, "overlapped", overlapped);
  return ranks.rank == 0 ? course::verdict(correct) : !correct;
}
