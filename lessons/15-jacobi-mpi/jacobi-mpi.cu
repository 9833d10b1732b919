// Lesson 15: Jacobi's method on many GPUs: each rank of MPI has a GPU, and some rows of the mesh.
//
// Build: nvcc -O3 -std=c++17 -ccbin mpicxx -I. lessons/15-jacobi-mpi/jacobi-mpi.cu -o jacobi-mpi
// Run:   mpirun -n 4 ./jacobi-mpi [staged|cuda-aware|overlap] [columns] [rows] [iterations]
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/mpi.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"
#include "lessons/15-jacobi-mpi/part.hpp"
#include "lessons/15-jacobi-mpi/proof.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

constexpr int norm_every = 100;    // steps from one norm to the next
constexpr double tolerance = 1e-5; // of the norm: where the iteration ends

// 1. The exchange: a rank's first row goes to the previous rank, where it is the halo below; its
// last row goes to the next rank, where it is the halo above. Sending and receiving at once: so no
// rank waits for one that waits.
void exchange(const Part &part, const float *first, const float *last, float *above, float *below) {
  const int n = part.nx;
  MPI_CHECK(MPI_Sendrecv(first, n, MPI_FLOAT, part.previous_rank, 0, below, n, MPI_FLOAT,
                         part.next_rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  MPI_CHECK(MPI_Sendrecv(last, n, MPI_FLOAT, part.next_rank, 1, above, n, MPI_FLOAT,
                         part.previous_rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

// 2. The halo of `d_next` by way of the host, after all that `stream` has to do. MPI knows nothing
// of streams: the host waits for the rows before it sends them.
void exchange_staged(const Part &part, cudaStream_t stream) {
  float *const d_first = part.row(part.d_next, 1), *const d_last =
                                                       part.row(part.d_next, part.count);
  float *const d_above = part.row(part.d_next, 0), *const d_below =
                                                       part.row(part.d_next, part.count + 1);
  const auto copy = [&](float *to, const float *from, cudaMemcpyKind kind) {
    CUDA_CHECK(cudaMemcpyAsync(to, from, part.nx * sizeof(float), kind, stream));
  };
  copy(part.to_send, d_first, cudaMemcpyDeviceToHost);
  copy(part.row(part.to_send, 1), d_last, cudaMemcpyDeviceToHost);
  CUDA_CHECK(cudaStreamSynchronize(stream));
  exchange(part, part.to_send, part.row(part.to_send, 1), part.received,
           part.row(part.received, 1));
  copy(d_above, part.received, cudaMemcpyHostToDevice);
  copy(d_below, part.row(part.received, 1), cudaMemcpyHostToDevice);
}

// 3. A CUDA-aware MPI takes device pointers: no copies to write, and between GPUs of one node no
// way by the host at all. Not every MPI is built so, and one that is not crashes.
void exchange_cuda_aware(const Part &part, cudaStream_t stream) {
  CUDA_CHECK(cudaStreamSynchronize(stream));
  exchange(part, part.row(part.d_next, 1), part.row(part.d_next, part.count),
           part.row(part.d_next, 0), part.row(part.d_next, part.count + 1));
}

bool mpi_is_cuda_aware() {
#ifdef MPIX_CUDA_AWARE_SUPPORT
  if (MPIX_Query_cuda_support() == 1)
    return true;
#endif
  return std::getenv("COURSE_CUDA_AWARE") != nullptr; // you know better than an MPI can tell
}

// 4. Overlapped: only the first and the last row are needed elsewhere. They are computed first, in
// a stream of their own, and travel while the other stream computes what lies between.
struct Streams {
  cudaStream_t edges, inner;
  cudaEvent_t inner_done;
  Streams() {
    int low, high; // the edges go before the rows that wait for a free multiprocessor
    CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&low, &high));
    CUDA_CHECK(cudaStreamCreateWithPriority(&edges, cudaStreamDefault, high));
    CUDA_CHECK(cudaStreamCreateWithPriority(&inner, cudaStreamDefault, low));
    CUDA_CHECK(cudaEventCreateWithFlags(&inner_done, cudaEventDisableTiming));
  }
  ~Streams() {
    for (cudaStream_t stream : {edges, inner})
      cudaStreamDestroy(stream);
    cudaEventDestroy(inner_done);
  }
};

void step_overlapped(const Part &part, const Streams &streams, bool with_norm) {
  // The edges need the rows beside them from the step before, and must not overwrite what it still
  // reads. The other way round nothing has to wait: the host has seen the edges' last step end.
  CUDA_CHECK(cudaStreamWaitEvent(streams.edges, streams.inner_done, 0));
  part.launch(1, 1, with_norm, streams.edges);
  if (part.count > 1)
    part.launch(part.count, 1, with_norm, streams.edges);
  part.launch(2, part.count - 2, with_norm, streams.inner);
  CUDA_CHECK(cudaEventRecord(streams.inner_done, streams.inner));
  exchange_staged(part, streams.edges);
}

// 5. The iteration, until the norm of the change is small or `max_steps` steps are done. The norm
// is the root of the sum of all squared changes: each rank's device adds up its own, in double, and
// MPI the ranks'. The first step that tells it is step 0. Returns the number of steps and leaves
// the norm.
int iterate(const course::Ranks &ranks, Part &part, const std::string &method, int max_steps,
            double &norm) {
  const Streams streams;
  norm = std::numeric_limits<double>::infinity();
  int done = 0;
  for (; done < max_steps && norm > tolerance; ++done) {
    const bool with_norm = done % norm_every == 0 || done == max_steps - 1;
    if (with_norm) // in the default stream: waits for both streams, and they for it
      CUDA_CHECK(cudaMemset(part.d_squares, 0, sizeof(double)));
    if (method == "overlap") {
      step_overlapped(part, streams, with_norm);
    } else {
      part.launch(1, part.count, with_norm, streams.inner);
      (method == "staged" ? exchange_staged : exchange_cuda_aware)(part, streams.inner);
    }
    if (with_norm) {
      double sum = 0;
      CUDA_CHECK(cudaMemcpy(&sum, part.d_squares, sizeof sum, cudaMemcpyDeviceToHost));
      norm = std::sqrt(ranks.sum(sum));
      if (ranks.rank == 0)
        std::printf("%5d, %.6f\n", done, norm);
    }
    std::swap(part.d_now, part.d_next);
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  return done;
}

int main(int argc, char **argv) {
  const course::Ranks ranks(&argc, &argv);
  std::string method;
  int nx = 0, ny = 0, max_steps = 0;
  ranks.first_rank_first([&] {
    course::expect_arguments(argc, argv, 4, "[staged|cuda-aware|overlap] [columns] [rows] [steps]");
    method = argc > 1 ? argv[1] : "overlap";
    if (method != "staged" && method != "cuda-aware" && method != "overlap") {
      std::fprintf(stderr, "%s: \"%s\" is not staged, cuda-aware or overlap\n", argv[0], argv[1]);
      std::exit(2);
    }
    if (method == "cuda-aware" && !mpi_is_cuda_aware()) {
      std::fprintf(stderr,
                   "%s: this MPI takes no device pointers: use staged or overlap, or load a "
                   "CUDA-aware MPI.\n  If yours is one, but cannot be asked: "
                   "COURSE_CUDA_AWARE=1\n",
                   argv[0]);
      std::exit(2);
    }
    if (ranks.rank == 0)
      course::print_device();
    nx = int(course::count_argument(argc, argv, 2, "columns", course::size(16384, 512), 40000));
    ny = int(course::count_argument(argc, argv, 3, "rows", course::size(16382, 510), 40000));
    max_steps = int(course::count_argument(argc, argv, 4, "steps", course::size(1000, 300)));
    if (ny < ranks.count) {
      std::fprintf(stderr, "%s: %d ranks for %d rows: at least one row a rank is needed\n", argv[0],
                   ranks.count, ny);
      std::exit(2);
    }
  });
  const int sharing = course::choose_device(); // ranks on this GPU
  if (!fits(ranks, nx, ny, sharing))
    return 2;

  // 6. The limit: the rate at which the devices copy a part, all at once.
  Part part(ranks, nx, ny);
  part.start(ny);
  const std::size_t bytes = part.bytes(part.count + 2);
  const double copy_seconds = course::gpu_seconds(course::size(11, 1), [&] {
    CUDA_CHECK(cudaMemcpyAsync(part.d_next, part.d_now, bytes, cudaMemcpyDeviceToDevice));
  });
  const double copy_rate = ranks.sum(2.0 * bytes / copy_seconds / sharing);
  if (ranks.rank == 0)
    std::printf("%s: %d columns, %d rows; ranks: %d with at least %d rows, %d for each GPU\n\n",
                method.c_str(), nx, ny, ranks.count, ny / ranks.count, sharing);

  // 7. The run. What the first launch and the first message cost is left out.
  part.launch(1, part.count, false, 0);
  part.launch(1, part.count, true, 0);
  exchange_staged(part, 0);
  part.start(ny);
  CUDA_CHECK(cudaDeviceSynchronize());
  MPI_CHECK(MPI_Barrier(MPI_COMM_WORLD));
  const course::Timer timer;
  double norm = 0;
  const int done = iterate(ranks, part, method, max_steps, norm);
  MPI_CHECK(MPI_Barrier(MPI_COMM_WORLD));
  const double seconds = timer.seconds();

  // 8. The proof: all rows of all ranks beside those of one device that knows nothing of parts, and
  // the last norm beside that of the last two fields, added up on the hosts.
  const bool correct = prove(ranks, part, ny, done, norm);
  if (ranks.rank > 0)
    return correct ? EXIT_SUCCESS : EXIT_FAILURE;
  const double cells = double(nx) * ny * done / seconds;
  std::printf("\n%d steps, norm %g\n", done, norm);
  course::figure("time", seconds, "s");
  course::figure("cells", 1e-9 * cells, "Gcell/s");
  course::figure("8 bytes a cell", 8e-9 * cells, "GB/s", 1e-9 * copy_rate, "copying, all ranks");
  return course::verdict(correct);
}
