// Lesson 15, versions: three ways to exchange the halo, with a faster kernel.
//
// Build: nvcc -O3 -arch=sm_75 -ccbin mpicxx -I. lessons/15-jacobi-mpi/jacobi-mpi-versions.cu -o jacobi-mpi-versions
// Run:   mpirun -n 2 ./jacobi-mpi-versions [columns [rows [steps]]]
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "lessons/15-jacobi-mpi/part.hpp"

#include <cstdlib>
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

constexpr int thread_rows = 2; // rows per thread

// One Jacobi step for `count` rows of a part, starting at row `first`. If gridDim.z is 2, also for
// `count` rows starting at row first + apart. Each thread computes four columns of two rows: it
// loads and stores 16 bytes at once, and the row below is its next row, already in a register.
// with_residual: adds the squares of all changes to *squares.
template <bool with_residual>
__global__ void step(const float *__restrict__ now, float *__restrict__ next, int nx, int pitch,
                     int first, int count, int apart, double *squares) {
  const int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  const int begin = first + int(blockIdx.z) * apart, end = begin + count;
  const int top = begin + (blockIdx.y * blockDim.y + threadIdx.y) * thread_rows;
  double sum = 0;
  if (x < nx && top < end) {
    const auto four = [=](int y) {
      return *reinterpret_cast<const float4 *>(now + std::size_t(y) * pitch + x);
    };
    float4 above = four(top - 1), here = four(top);
    for (int i = 0; i < thread_rows; ++i) { // nvcc unrolls this loop
      const int y = top + i;
      if (y >= end)
        break;
      const float4 below = four(y + 1);
      const float *const row = now + std::size_t(y) * pitch + x;
      const float left = x > 0 ? row[-1] : 0, right = x + 4 < nx ? row[4] : 0;
      float4 mean = {0.25f * (left + here.y + above.x + below.x),
                     0.25f * (here.x + here.z + above.y + below.y),
                     0.25f * (here.y + here.w + above.z + below.z),
                     0.25f * (here.z + right + above.w + below.w)};
      if (x == 0)
        mean.x = here.x;
      if (x + 4 >= nx) { // the last column, and the padding after it
        mean.x = x + 1 < nx ? mean.x : here.x;
        mean.y = x + 2 < nx ? mean.y : here.y;
        mean.z = x + 3 < nx ? mean.z : here.z;
        mean.w = here.w;
      }
      *reinterpret_cast<float4 *>(next + std::size_t(y) * pitch + x) = mean;
      if (with_residual)
        for (const float change :
             {mean.x - here.x, mean.y - here.y, mean.z - here.z, mean.w - here.w})
          sum += double(change) * change;
      above = here;
      here = below;
    }
  }
  if (with_residual) { // one atomic addition per block, as in lesson 07
    __shared__ double warps[32];
    for (int half = 16; half > 0; half /= 2)
      sum += __shfl_down_sync(0xffffffff, sum, half);
    const int thread = threadIdx.y * blockDim.x + threadIdx.x;
    if (thread % 32 == 0)
      warps[thread / 32] = sum;
    __syncthreads();
    if (thread == 0) {
      for (int warp = 1; warp < int(blockDim.x * blockDim.y) / 32; ++warp)
        sum += warps[warp];
      atomicAdd(squares, sum);
    }
  }
}

// Launches the kernel for `pieces` groups of `count` rows. The first group starts at row `first`,
// the second one `apart` rows below it.
void launch_step(const Part &part, int first, int count, int pieces, int apart, double *d_squares,
                 cudaStream_t stream) {
  if (count <= 0)
    return;
  const dim3 block(64, 4); // 256 columns, 8 rows
  const dim3 grid((part.nx + 255) / 256, (count + 7) / 8, pieces);
  const auto kernel = d_squares ? step<true> : step<false>;
  kernel<<<grid, block, 0, stream>>>(part.d_now, part.d_next, part.nx, part.pitch, first, count,
                                     apart, d_squares);
  CUDA_CHECK(cudaGetLastError());
}

// Sends the first row to the previous rank and the last row to the next rank, and receives two
// rows. All addresses are in host memory. If MPI is CUDA-aware, they may all be in device memory.
void exchange_rows(const Part &part, const float *first, const float *last, float *above,
                   float *below) {
  const int n = part.nx;
  MPI_CHECK(MPI_Sendrecv(first, n, MPI_FLOAT, part.previous_rank, 0, below, n, MPI_FLOAT,
                         part.next_rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  MPI_CHECK(MPI_Sendrecv(last, n, MPI_FLOAT, part.next_rank, 1, above, n, MPI_FLOAT,
                         part.previous_rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

// Fills the halo of d_next through host memory, as in jacobi-mpi.cu.
void exchange_staged(const Part &part, cudaStream_t stream) {
  const auto copy_row = [&](float *to, const float *from) {
    CUDA_CHECK(cudaMemcpyAsync(to, from, part.nx * sizeof(float), cudaMemcpyDefault, stream));
  };
  copy_row(part.first_row, part.row(part.d_next, 1));
  copy_row(part.last_row, part.row(part.d_next, part.count));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  exchange_rows(part, part.first_row, part.last_row, part.row_above, part.row_below);
  copy_row(part.row(part.d_next, 0), part.row_above);
  copy_row(part.row(part.d_next, part.count + 1), part.row_below);
}

struct Streams {
  cudaStream_t edges, inner;
  cudaEvent_t inner_done;
};

// Version 1: all rows, then the exchange.
void staged(const Part &part, const Streams &streams, double *d_squares) {
  launch_step(part, 1, part.count, 1, 0, d_squares, streams.inner);
  exchange_staged(part, streams.inner);
}

// Version 2: MPI gets device pointers.
void cuda_aware(const Part &part, const Streams &streams, double *d_squares) {
  launch_step(part, 1, part.count, 1, 0, d_squares, streams.inner);
  // [cuda-aware]
  CUDA_CHECK(cudaStreamSynchronize(streams.inner)); // MPI does not wait for streams
  exchange_rows(part, part.row(part.d_next, 1), part.row(part.d_next, part.count),
                part.row(part.d_next, 0), part.row(part.d_next, part.count + 1));
  // [end]
}

// Version 3: the first and the last row, then the inner rows during the exchange.
void overlapped(const Part &part, const Streams &streams, double *d_squares) {
  CUDA_CHECK(cudaStreamWaitEvent(streams.edges, streams.inner_done));
  if (part.count > 2)
    launch_step(part, 1, 1, 2, part.count - 1, d_squares, streams.edges); // one launch for both
  else
    launch_step(part, 1, part.count, 1, 0, d_squares, streams.edges);
  launch_step(part, 2, part.count - 2, 1, 0, d_squares, streams.inner);
  CUDA_CHECK(cudaEventRecord(streams.inner_done, streams.inner));
  exchange_staged(part, streams.edges);
}

int main(int argc, char **argv) {
  const course::Ranks ranks(&argc, &argv);
  const Mesh mesh = mesh_from(ranks, argc, argv);
  const int sharing = course::choose_device(); // ranks on this GPU
  Part part(ranks, mesh, 32);                  // float4 needs rows at multiples of 16 bytes
  Streams streams;
  CUDA_CHECK(cudaStreamCreateWithPriority(&streams.edges, cudaStreamDefault, -1));
  CUDA_CHECK(cudaStreamCreate(&streams.inner));
  CUDA_CHECK(cudaEventCreateWithFlags(&streams.inner_done, cudaEventDisableTiming));

  // The reference: all GPUs copy their parts at the same time.
  part.start(mesh);
  const std::size_t bytes = (part.count + 2) * part.row_bytes();
  MPI_CHECK(MPI_Barrier(MPI_COMM_WORLD));
  const double copy_seconds = course::gpu_seconds(course::problem_size(11, 1), [&] {
    CUDA_CHECK(cudaMemcpyAsync(part.d_next, part.d_now, bytes, cudaMemcpyDeviceToDevice));
  });
  const double copy_rate = ranks.sum(2.0 * bytes / copy_seconds / sharing);
  if (ranks.rank == 0)
    std::printf("%d x %d cells; ranks: %d, per GPU: %d\n\n", mesh.nx, mesh.ny, ranks.count,
                sharing);

  bool correct = true;
  const auto run = [&](const char *name, auto version) {
    part.start(mesh);
    version(part, streams, part.d_squares); // not timed: the first launches and messages
    version(part, streams, nullptr);        // take longer
    part.start(mesh);
    CUDA_CHECK(cudaDeviceSynchronize());
    MPI_CHECK(MPI_Barrier(MPI_COMM_WORLD)); // all ranks start together
    const course::Timer timer;
    double residual = 1;
    int steps = 0;
    for (; steps < mesh.max_steps && !(residual <= tolerance); ++steps) {
      if (steps % residual_every == 0 || steps == mesh.max_steps - 1) {
        double mine = 0; // the default stream waits for the other streams, and they wait for it
        CUDA_CHECK(cudaMemset(part.d_squares, 0, sizeof mine));
        version(part, streams, part.d_squares);
        CUDA_CHECK(cudaMemcpy(&mine, part.d_squares, sizeof mine, cudaMemcpyDeviceToHost));
        residual = std::sqrt(ranks.sum(mine));
      } else {
        version(part, streams, nullptr);
      }
      std::swap(part.d_now, part.d_next);
    }
    const double seconds = timer.seconds(); // the last sum has waited for all ranks
    if (ranks.rank == 0) {
      const double rate = 8e-9 * mesh.nx * mesh.ny * steps / seconds; // one load, one store
      course::figure(name, rate, "GB/s",
                     {.limit = 1e-9 * copy_rate, .limit_is = "copy bandwidth", .seconds = seconds});
    }
    correct = verify(ranks, part, mesh, steps, residual) && correct;
  };
  run("staged", staged);
  if (mpi_is_cuda_aware())
    run("CUDA-aware", cuda_aware);
  else if (ranks.rank == 0)
    std::puts("   CUDA-aware: skipped, because this MPI does not accept device pointers");
  run("overlapped", overlapped);
  return ranks.rank == 0 ? course::verdict(correct) : !correct;
}
