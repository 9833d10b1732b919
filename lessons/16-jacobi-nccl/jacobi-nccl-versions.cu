// Lesson 16, versions: one or two streams, a graph, and halos of several rows.
//
// Build: nvcc -O3 -std=c++17 -arch=sm_75 -ccbin mpicxx -I. lessons/16-jacobi-nccl/jacobi-nccl-versions.cu -lnccl -o versions
// Run:   mpirun -n 2 ./versions [columns [rows [steps]]]
//
// The rows of every version are compared with a run without parts. All bits must be equal.
#include "common/buffer.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/jacobi.hpp"
#include "common/jacobi_step.hpp"
#include "common/mpi.hpp"
#include "common/nccl.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

using course::launch_fast_step;
using course::Part;
using course::Rows;

// The kernel of versions 5 to 8: K steps in one pass over memory, as in lesson 09. A warp walks
// down a strip of 128 columns, four per lane. The outer `strip_halo` columns at each side lack a
// neighbour in one of the steps, so strips overlap, and only the columns between are stored.
template <int K> constexpr int strip_halo = (K + 3) / 4 * 4; // whole lanes

constexpr int strip_threads = 128; // per block: four strips
constexpr int ahead = 3;           // rows whose loads are in flight
constexpr int unrolled = 6;        // rows, a multiple of `ahead`
constexpr int waves = 4;           // number of times that a launch fills the device

// The warp stores `rows` rows to `to`. It reads K more rows above and below them, from `from` on.
// When row y arrives, row y - 1 does its first step, row y - 2 its second step, and so on. For each
// step a lane keeps its last row, and the sum of left, right and above for this row. The sums have
// the order of the reference. __fmul_rn is a product that must not be merged with the next addition
// (FMA): a quarter of a very small number is rounded, and then the bits would differ.
// at_side: the strip contains the first or the last column of the plate, which are fixed.
template <int K, bool at_side, bool with_residual>
__device__ void walk(const float *from, float *to, int x, int nx, int pitch, int rows, bool stores,
                     double &squares) {
  const int arriving = rows + 2 * K;
  const bool fixed[] = {x <= 0 || x >= nx - 1, x + 1 >= nx - 1, x + 2 >= nx - 1, x + 3 >= nx - 1};
  const auto load = [=](int n) {
    return *reinterpret_cast<const float4 *>(from + std::size_t(min(n, arriving - 1)) * pitch);
  };
  float4 coming[ahead], here[K] = {}, sum[K] = {};
#pragma unroll
  for (int i = 0; i < ahead; ++i)
    coming[i] = load(i);
  for (int n = 0; n < arriving;) {
#pragma unroll
    for (int i = 0; i < unrolled; ++i, ++n) {
      float4 row = coming[i % ahead], before{};
      coming[i % ahead] = load(n + ahead);
#pragma unroll
      for (int s = 0; s < K; ++s) { // row: row n - s after s steps, then row n - s - 1 after s + 1
        const float4 below = row, above = sum[s];
        before = here[s];
        here[s] = below;
        row = {__fmul_rn(0.25f, above.x + below.x), __fmul_rn(0.25f, above.y + below.y),
               __fmul_rn(0.25f, above.z + below.z), __fmul_rn(0.25f, above.w + below.w)};
        if constexpr (at_side)
          row = {fixed[0] ? before.x : row.x, fixed[1] ? before.y : row.y,
                 fixed[2] ? before.z : row.z, fixed[3] ? before.w : row.w};
        const float left = __shfl_up_sync(0xffffffff, below.w, 1);
        const float right = __shfl_down_sync(0xffffffff, below.x, 1);
        sum[s] = {left + below.y + before.x, below.x + below.z + before.y,
                  below.y + below.w + before.z, below.z + right + before.w};
      }
      if (stores && n >= 2 * K && n < arriving) {
        *reinterpret_cast<float4 *>(to + std::size_t(n - 2 * K) * pitch) = row;
        if constexpr (with_residual)
          for (const float change :
               {row.x - before.x, row.y - before.y, row.z - before.z, row.w - before.w})
            squares += double(change) * change;
      }
    }
  }
}

// A warp stores at most `segment` rows. The part has a halo of at least K rows.
template <int K, bool with_residual>
__global__ void pass(const float *__restrict__ now, float *__restrict__ next, int nx, int pitch,
                     int first, int count, int apart, int segment, double *squares) {
  constexpr int halo = strip_halo<K>, own = 128 - 2 * halo;
  const int lane = threadIdx.x % 32, strip = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (strip * own >= nx) // the same for all lanes of a warp
    return;
  const int x = strip * own - halo + 4 * lane;
  const bool stores = lane >= halo / 4 && lane < 32 - halo / 4 && x < nx;
  const bool at_side = strip == 0 || (strip + 1) * own + halo >= nx;
  const int done = blockIdx.y * segment, rows = min(segment, count - done);
  const int top = first + int(blockIdx.z) * apart + done;
  const float *const from = now + std::size_t(top - K) * pitch + min(max(x, 0), pitch - 4);
  float *const to = next + std::size_t(top) * pitch + x;
  double sum = 0;
  if (at_side)
    walk<K, true, with_residual>(from, to, x, nx, pitch, rows, stores, sum);
  else
    walk<K, false, with_residual>(from, to, x, nx, pitch, rows, stores, sum);
  if constexpr (with_residual) {
    for (int half = 16; half > 0; half /= 2)
      sum += __shfl_down_sync(0xffffffff, sum, half);
    if (lane == 0)
      atomicAdd(squares, sum);
  }
}

// A warp reads 2 K rows more than it stores, so long segments waste less. But all multiprocessors
// need work to the end, so there are as many segments as fill the device `waves` times.
template <int K>
void launch_pass(const Part &part, const Rows &rows, double *d_squares, cudaStream_t stream) {
  if (rows.count <= 0)
    return;
  constexpr int own = 128 - 2 * strip_halo<K>;
  static const int fill = [] { // blocks that fill the device `waves` times
    int resident = 0;          // blocks per multiprocessor
    CUDA_CHECK(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, pass<K, false>, strip_threads, 0));
    return waves * resident * course::multiprocessors();
  }();
  const int strips = (part.nx + own - 1) / own;
  const int blocks = (strips * 32 + strip_threads - 1) / strip_threads;
  const int wanted = std::max(1, fill / (blocks * rows.pieces));
  const int segment = std::max(2 * K, (rows.count + wanted - 1) / wanted);
  const dim3 grid(blocks, (rows.count + segment - 1) / segment, rows.pieces);
  const auto kernel = d_squares ? pass<K, true> : pass<K, false>;
  kernel<<<grid, strip_threads, 0, stream>>>(part.d_now.data(), part.d_next.data(), part.nx,
                                             part.pitch, rows.first, rows.count, rows.apart,
                                             segment, d_squares);
  CUDA_CHECK(cudaGetLastError());
}

// Two streams, the connection of all ranks, and two residuals: the work for the next one can begin
// before the host has read the previous one.
struct Queue {
  ncclComm_t comm;
  cudaStream_t edges, inner;
  cudaEvent_t edges_done, inner_done, residual_ready[2];
  course::Buffer<double> d_sums{std::vector<double>(2)};
  double *sums; // in pinned host memory

  explicit Queue(const course::Ranks &ranks) {
    ncclUniqueId id;
    if (ranks.rank == 0)
      NCCL_CHECK(ncclGetUniqueId(&id));
    MPI_CHECK(MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD));
    NCCL_CHECK(ncclCommInitRank(&comm, ranks.count, id, ranks.rank));
    CUDA_CHECK(cudaStreamCreateWithPriority(&edges, cudaStreamDefault, -1));
    CUDA_CHECK(cudaStreamCreate(&inner));
    for (cudaEvent_t *event : {&edges_done, &inner_done, &residual_ready[0], &residual_ready[1]})
      CUDA_CHECK(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
    CUDA_CHECK(cudaMallocHost(&sums, d_sums.bytes()));
  }
  ~Queue() {
    ncclCommDestroy(comm);
    cudaStreamDestroy(edges);
    cudaStreamDestroy(inner);
    for (cudaEvent_t event : {edges_done, inner_done, residual_ready[0], residual_ready[1]})
      cudaEventDestroy(event);
    cudaFreeHost(sums);
  }
  Queue(const Queue &) = delete;
  Queue &operator=(const Queue &) = delete;
};

// Fills the halo of d_next. The rows of a message are contiguous.
void exchange(const Part &part, const Queue &queue) {
  const std::size_t n = std::size_t(part.halo) * part.pitch;
  float *const above = part.row(part.d_next, 0), *const first = above + n;
  float *const last = part.row(part.d_next, part.count), *const below = last + n;
  NCCL_CHECK(ncclGroupStart());
  NCCL_CHECK(ncclSend(first, n, ncclFloat, part.previous_rank, queue.comm, queue.edges));
  NCCL_CHECK(ncclRecv(below, n, ncclFloat, part.next_rank, queue.comm, queue.edges));
  NCCL_CHECK(ncclSend(last, n, ncclFloat, part.next_rank, queue.comm, queue.edges));
  NCCL_CHECK(ncclRecv(above, n, ncclFloat, part.previous_rank, queue.comm, queue.edges));
  NCCL_CHECK(ncclGroupEnd());
}

// Every version queues `steps` steps. The last one adds the squares of its changes to *d_squares.

// Versions 1 and 4: one stream. The halo has k rows, so an exchange is enough for k steps. The
// first step computes k - 1 rows of each halo as well, the next one k - 2, the last one none.
// [wide]
void one_stream(Part &part, const Queue &queue, int steps, double *d_squares) {
  while (steps > 0) {
    for (int margin = std::min(part.halo, steps) - 1; margin >= 0; --margin, --steps) {
      const Rows rows{part.halo - margin, part.count + 2 * margin};
      launch_fast_step(part, rows, steps == 1 ? d_squares : nullptr, queue.edges);
      if (margin == 0)
        exchange(part, queue);
      std::swap(part.d_now, part.d_next);
    }
  }
}
// [end]

// One pass in two streams: the exchange runs while the inner rows are computed.
template <class Launch>
void overlapped_pass(Part &part, const Queue &queue, Launch launch, double *d_squares) {
  launch(part, course::edge_rows(part), d_squares, queue.edges);
  CUDA_CHECK(cudaEventRecord(queue.edges_done, queue.edges));
  launch(part, course::inner_rows(part), d_squares, queue.inner);
  CUDA_CHECK(cudaEventRecord(queue.inner_done, queue.inner));
  exchange(part, queue);
  CUDA_CHECK(cudaStreamWaitEvent(queue.inner, queue.edges_done)); // before the next pass
  CUDA_CHECK(cudaStreamWaitEvent(queue.edges, queue.inner_done));
  std::swap(part.d_now, part.d_next);
}

// Versions 2 and 3: one step per pass and exchange.
void two_streams(Part &part, const Queue &queue, int steps, double *d_squares) {
  for (; steps > 0; --steps)
    overlapped_pass(part, queue, launch_fast_step, steps == 1 ? d_squares : nullptr);
}

// Versions 5 to 8: K steps per pass and exchange. Fewer than K remaining steps are single steps.
template <int K> void k_steps(Part &part, const Queue &queue, int steps, double *d_squares) {
  for (; steps >= K; steps -= K)
    overlapped_pass(part, queue, launch_pass<K>, steps == K ? d_squares : nullptr);
  if (steps == 0)
    return;
  one_stream(part, queue, steps, d_squares);
  CUDA_CHECK(cudaEventRecord(queue.edges_done, queue.edges));
  CUDA_CHECK(cudaStreamWaitEvent(queue.inner, queue.edges_done));
}

using Version = void (*)(Part &, const Queue &, int, double *);

// The steps up to the next residual, then the sum over all ranks.
void stretch(Version version, Part &part, const Queue &queue, int steps, double *d_sum) {
  version(part, queue, steps, d_sum);
  NCCL_CHECK(ncclAllReduce(d_sum, d_sum, 1, ncclDouble, ncclSum, queue.comm, queue.edges));
}

// The same as a graph, which is launched in `edges`. It holds the addresses of the two fields.
cudaGraphExec_t graph_of(Version version, Part &part, const Queue &queue, int steps,
                         double *d_sum) {
  const float *const d_now = part.d_now.data();
  CUDA_CHECK(cudaStreamBeginCapture(queue.edges, cudaStreamCaptureModeThreadLocal));
  CUDA_CHECK(cudaEventRecord(queue.edges_done, queue.edges));
  CUDA_CHECK(cudaStreamWaitEvent(queue.inner, queue.edges_done)); // captures `inner` as well
  stretch(version, part, queue, steps, d_sum);                    // nothing runs
  CUDA_CHECK(cudaEventRecord(queue.inner_done, queue.inner));
  CUDA_CHECK(cudaStreamWaitEvent(queue.edges, queue.inner_done)); // the streams join
  if (part.d_now.data() != d_now)
    std::swap(part.d_now, part.d_next); // as before the capture

  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CUDA_CHECK(cudaStreamEndCapture(queue.edges, &graph));
  CUDA_CHECK(cudaGraphInstantiate(&executable, graph, cudaGraphInstantiateFlagUseNodePriority));
  CUDA_CHECK(cudaGraphDestroy(graph));
  return executable;
}

struct Result {
  int steps;
  double seconds, residual;
};

// Steps from the start until the residual is small. k: the steps per exchange.
Result iterate(Version version, bool as_graph, int k, const course::Mesh &mesh, Part &part,
               const Queue &queue) {
  // Not timed: the first launches and messages, and the capture of the graphs.
  double *const d_sums = queue.d_sums.data();
  const int full = std::min(course::residual_every, mesh.max_steps), last = mesh.max_steps % full;
  cudaGraphExec_t full_graph = nullptr, last_graph = nullptr;
  stretch(version, part, queue, full, d_sums);
  stretch(version, part, queue, last, d_sums);
  if (as_graph)
    full_graph = graph_of(version, part, queue, full, d_sums);
  if (as_graph && last > 0)
    last_graph = graph_of(version, part, queue, last, d_sums);
  part.start();
  CUDA_CHECK(cudaMemset(d_sums, 0, queue.d_sums.bytes()));
  CUDA_CHECK(cudaDeviceSynchronize());
  MPI_CHECK(MPI_Barrier(MPI_COMM_WORLD)); // all ranks start together

  const course::Timer timer;
  double residual = INFINITY;
  int done = 0;
  for (int i = 0; done < mesh.max_steps && !(residual <= course::tolerance); ++i) {
    const int steps = std::min(full, mesh.max_steps - done), now = i % 2, before = 1 - now;
    double *const d_sum = d_sums + (as_graph ? 0 : now);
    if (as_graph) {
      CUDA_CHECK(cudaGraphLaunch(steps == full ? full_graph : last_graph, queue.edges));
      if ((steps / k + steps % k) % 2 == 1) // an odd number of passes; never if steps is 100
        std::swap(part.d_now, part.d_next);
    } else {
      stretch(version, part, queue, steps, d_sum);
    }

    CUDA_CHECK(
        cudaMemcpyAsync(&queue.sums[now], d_sum, sizeof(double), cudaMemcpyDefault, queue.edges));
    CUDA_CHECK(cudaMemsetAsync(d_sum, 0, sizeof(double), queue.edges));
    CUDA_CHECK(cudaEventRecord(queue.residual_ready[now], queue.edges));
    if (i > 0) { // the residual of the previous steps, while these steps run
      CUDA_CHECK(cudaEventSynchronize(queue.residual_ready[before]));
      residual = std::sqrt(queue.sums[before]);
    }
    done += steps;
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  const double seconds = timer.seconds();

  for (cudaGraphExec_t graph : {full_graph, last_graph})
    if (graph)
      CUDA_CHECK(cudaGraphExecDestroy(graph));
  return {done, seconds, std::sqrt(queue.sums[(done - 1) / full % 2])};
}

int main(int argc, char **argv) {
  const course::Ranks ranks(&argc, &argv);
  const course::Mesh mesh = course::mesh_from(ranks, argc, argv);
  const int sharing = course::choose_device(); // ranks on this GPU
  if (ranks.rank == 0)
    std::printf("%d x %d cells, %d steps; ranks: %d\n\n", mesh.nx, mesh.ny, mesh.max_steps,
                ranks.count);

  // No other NCCL call runs while a graph with NCCL calls runs, so NCCL need not order them.
  setenv("NCCL_GRAPH_MIXING_SUPPORT", "0", 0); // 0: a value that is already set remains
  const Queue queue(ranks);
  const auto part_of = [&](int halo) {
    return Part(ranks.rank, ranks.count, mesh, (mesh.nx + 31) / 32 * 32, halo);
  };
  const double copy_rate = course::copy_rate(ranks, part_of(1), sharing);

  bool correct = true;
  const auto run = [&](const char *name, int k, Version version, bool as_graph = false) {
    if (mesh.ny / ranks.count < k) {
      if (ranks.rank == 0)
        std::printf("   %s: skipped, because a rank has fewer than %d rows\n", name, k);
      return;
    }
    Part part = part_of(k);
    const auto [steps, seconds, residual] = iterate(version, as_graph, k, mesh, part, queue);
    if (ranks.rank == 0) {
      const double rate = 8e-9 * mesh.nx * mesh.ny * steps / seconds; // one load, one store
      course::figure(name, rate, "GB/s",
                     {.limit = 1e-9 * copy_rate, .limit_is = "copy bandwidth", .seconds = seconds});
    }
    correct &= course::verify_part(ranks, mesh, part, steps, residual);
  };
  run("1 one stream", 1, one_stream);
  run("2 two streams", 1, two_streams);
  run("3 two streams, graph", 1, two_streams, true);
  run("4 halo of 10 rows", 10, one_stream);
  run("5 four steps per pass", 4, k_steps<4>);
  run("6 five steps per pass", 5, k_steps<5>);
  run("7 ten steps per pass", 10, k_steps<10>);
  run("8 ten steps per pass, graph", 10, k_steps<10>, true);
  return ranks.rank == 0 ? course::verdict(correct) : !correct;
}
