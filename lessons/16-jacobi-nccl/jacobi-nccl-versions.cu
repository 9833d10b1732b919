// Lesson 16, versions: one or two streams, a graph, and halos of several rows.
//
// Build: nvcc -O3 -std=c++17 -arch=sm_75 -ccbin mpicxx -I. lessons/16-jacobi-nccl/jacobi-nccl-versions.cu -lnccl -o versions
// Run:   mpirun -n 2 ./versions [columns [rows [steps]]]
//
// The rows of every version are compared with a run without parts. All bits must be equal.
#include "common/figures.hpp"
#include "common/nccl.hpp"
#include "common/timer.hpp"
#include "lessons/16-jacobi-nccl/part.hpp"

#include <algorithm>
#include <cmath>

constexpr int residual_every = 100; // steps from one residual to the next
constexpr double tolerance = 1e-5;  // the iteration ends when the residual is at most this

// `pieces` times `count` rows of a part: the first ones begin at row `first`, the next ones at row
// first + apart.
struct Rows {
  int first, count, pieces, apart;
};

Rows all_rows(const Part &part) { return {part.halo, part.count, 1, 0}; }

// The rows that the neighbours need: as many rows at each end as the halo has. A part with fewer
// rows than two halos has no inner rows.
Rows edges_of(const Part &part) {
  if (part.count <= 2 * part.halo)
    return all_rows(part);
  return {part.halo, part.halo, 2, part.count - part.halo};
}
Rows inner_rows(const Part &part) { return {2 * part.halo, part.count - 2 * part.halo, 1, 0}; }

// The kernel of versions 1 to 4: one step. Each thread computes four columns of two rows. It loads
// and stores 16 bytes at once, and the row below is its next row, already in a register.
// with_residual: adds the squares of all changes to *squares.
constexpr int thread_rows = 2;

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

void launch_step(const Part &part, const Rows &rows, double *d_squares, cudaStream_t stream) {
  if (rows.count <= 0)
    return;
  const dim3 block(64, 4); // 256 columns, 8 rows
  const dim3 grid((part.nx + 255) / 256, (rows.count + 7) / 8, rows.pieces);
  const auto kernel = d_squares ? step<true> : step<false>;
  kernel<<<grid, block, 0, stream>>>(part.d_now, part.d_next, part.nx, part.pitch, rows.first,
                                     rows.count, rows.apart, d_squares);
  CUDA_CHECK(cudaGetLastError());
}

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
  kernel<<<grid, strip_threads, 0, stream>>>(part.d_now, part.d_next, part.nx, part.pitch,
                                             rows.first, rows.count, rows.apart, segment,
                                             d_squares);
  CUDA_CHECK(cudaGetLastError());
}

struct Queue {
  ncclComm_t comm;
  cudaStream_t edges, inner;
  cudaEvent_t edges_done, inner_done;
};

// Fills the halo of d_next. The rows of a message are contiguous.
void exchange(const Part &part, const Queue &queue) {
  const std::size_t n = std::size_t(part.halo) * part.pitch;
  float *const above = part.d_next, *const first = above + n;
  float *const last = part.row(above, part.count), *const below = last + n;
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
      const Rows rows{part.halo - margin, part.count + 2 * margin, 1, 0};
      launch_step(part, rows, steps == 1 ? d_squares : nullptr, queue.edges);
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
  launch(part, edges_of(part), d_squares, queue.edges);
  CUDA_CHECK(cudaEventRecord(queue.edges_done, queue.edges));
  launch(part, inner_rows(part), d_squares, queue.inner);
  CUDA_CHECK(cudaEventRecord(queue.inner_done, queue.inner));
  exchange(part, queue);
  CUDA_CHECK(cudaStreamWaitEvent(queue.inner, queue.edges_done)); // before the next pass
  CUDA_CHECK(cudaStreamWaitEvent(queue.edges, queue.inner_done));
  std::swap(part.d_now, part.d_next);
}

// Versions 2 and 3: one step per pass and exchange.
void two_streams(Part &part, const Queue &queue, int steps, double *d_squares) {
  for (; steps > 0; --steps)
    overlapped_pass(part, queue, launch_step, steps == 1 ? d_squares : nullptr);
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

// The same as a graph. It holds the addresses of d_now and d_next.
cudaGraphExec_t graph_of(Version version, Part &part, const Queue &queue, int steps,
                         double *d_sum) {
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  float *const d_now = part.d_now, *const d_next = part.d_next;
  CUDA_CHECK(cudaStreamBeginCapture(queue.edges, cudaStreamCaptureModeThreadLocal));
  CUDA_CHECK(cudaEventRecord(queue.edges_done, queue.edges));
  CUDA_CHECK(cudaStreamWaitEvent(queue.inner, queue.edges_done)); // captures `inner` as well
  stretch(version, part, queue, steps, d_sum);                    // nothing runs
  CUDA_CHECK(cudaEventRecord(queue.inner_done, queue.inner));
  CUDA_CHECK(cudaStreamWaitEvent(queue.edges, queue.inner_done)); // the streams join
  CUDA_CHECK(cudaStreamEndCapture(queue.edges, &graph));
  CUDA_CHECK(cudaGraphInstantiate(&executable, graph, cudaGraphInstantiateFlagUseNodePriority));
  CUDA_CHECK(cudaGraphDestroy(graph));
  part.d_now = d_now;
  part.d_next = d_next;
  return executable;
}

// The residual of the last step, from a run without parts.
double reference_residual(const Setup &setup, int steps) {
  Part plate(0, 1, setup.nx, setup.ny, 0);
  const dim3 block(32, 8), grid((setup.nx + 31) / 32, (setup.ny + 7) / 8);
  for (int i = 0; i < steps; ++i, std::swap(plate.d_now, plate.d_next)) {
    reference_step<<<grid, block>>>(plate.d_now, plate.d_next, plate.nx, plate.ny, plate.pitch);
    CUDA_CHECK(cudaGetLastError());
  }
  std::vector<float> now(plate.bytes(plate.ny) / sizeof(float)), before(now.size());
  CUDA_CHECK(cudaMemcpy(now.data(), plate.d_now, plate.bytes(plate.ny), cudaMemcpyDefault));
  CUDA_CHECK(cudaMemcpy(before.data(), plate.d_next, plate.bytes(plate.ny), cudaMemcpyDefault));
  double squares = 0;
  for (std::size_t i = 0; i < now.size(); ++i)
    squares += double(now[i] - before[i]) * (now[i] - before[i]);
  return std::sqrt(squares);
}

int main(int argc, char **argv) {
  const Setup setup(argc, argv);
  // No other NCCL call runs while a graph with NCCL calls runs, so NCCL need not order them.
  setenv("NCCL_GRAPH_MIXING_SUPPORT", "0", 0); // 0: a value that is already set remains
  ncclUniqueId id;
  if (setup.rank == 0)
    NCCL_CHECK(ncclGetUniqueId(&id));
  MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD);
  Queue queue;
  NCCL_CHECK(ncclCommInitRank(&queue.comm, setup.ranks, id, setup.rank));
  CUDA_CHECK(cudaStreamCreateWithPriority(&queue.edges, cudaStreamDefault, -1));
  CUDA_CHECK(cudaStreamCreate(&queue.inner));
  cudaEvent_t ready[2];
  for (cudaEvent_t *event : {&queue.edges_done, &queue.inner_done, &ready[0], &ready[1]})
    CUDA_CHECK(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
  double *d_sums, *sums; // two, so that a stretch can begin before the previous sum is read
  CUDA_CHECK(cudaMalloc(&d_sums, 2 * sizeof *d_sums));
  CUDA_CHECK(cudaMemset(d_sums, 0, 2 * sizeof *d_sums));
  CUDA_CHECK(cudaMallocHost(&sums, 2 * sizeof *sums));

  double copy_rate = 0; // bytes per second, all GPUs together
  int correct = 1;
  const auto run = [&](const char *name, int k, Version version, bool as_graph = false) {
    if (setup.ny / setup.ranks < k) {
      if (setup.rank == 0)
        std::printf("   %s: skipped, because a rank has fewer than %d rows\n", name, k);
      return;
    }
    Part part(setup.rank, setup.ranks, setup.nx, setup.ny, k);
    if (copy_rate == 0) {
      const std::size_t bytes = part.bytes(part.count);
      const double seconds = course::gpu_seconds(course::problem_size(11, 1), [&] {
        CUDA_CHECK(cudaMemcpyAsync(part.d_next, part.d_now, bytes, cudaMemcpyDeviceToDevice));
      });
      copy_rate = 2.0 * bytes / seconds;
      MPI_Allreduce(MPI_IN_PLACE, &copy_rate, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    // Not timed: the first launches and messages, and the capture of the graphs.
    const int full = std::min(residual_every, setup.steps), last = setup.steps % full;
    cudaGraphExec_t full_graph = nullptr, last_graph = nullptr;
    stretch(version, part, queue, full, d_sums);
    stretch(version, part, queue, last, d_sums);
    if (as_graph)
      full_graph = graph_of(version, part, queue, full, d_sums);
    if (as_graph && last > 0)
      last_graph = graph_of(version, part, queue, last, d_sums);
    part.start();
    CUDA_CHECK(cudaMemset(d_sums, 0, 2 * sizeof *d_sums));
    CUDA_CHECK(cudaDeviceSynchronize());
    MPI_Barrier(MPI_COMM_WORLD); // all ranks start together
    const course::Timer timer;
    double residual = INFINITY;
    int done = 0;
    for (int i = 0; done < setup.steps && !(residual <= tolerance); ++i) {
      const int steps = std::min(residual_every, setup.steps - done);
      double *const d_sum = d_sums + (as_graph ? 0 : i % 2);
      if (as_graph) {
        CUDA_CHECK(cudaGraphLaunch(steps == full ? full_graph : last_graph, queue.edges));
        if ((steps / k + steps % k) % 2 == 1) // an odd number of passes; never if steps is 100
          std::swap(part.d_now, part.d_next);
      } else {
        stretch(version, part, queue, steps, d_sum);
      }
      CUDA_CHECK(
          cudaMemcpyAsync(&sums[i % 2], d_sum, sizeof *sums, cudaMemcpyDefault, queue.edges));
      CUDA_CHECK(cudaMemsetAsync(d_sum, 0, sizeof *d_sum, queue.edges));
      CUDA_CHECK(cudaEventRecord(ready[i % 2], queue.edges));
      if (i > 0) { // the residual of the previous steps, while these steps run
        CUDA_CHECK(cudaEventSynchronize(ready[1 - i % 2]));
        residual = std::sqrt(sums[1 - i % 2]);
      }
      done += steps;
    }
    CUDA_CHECK(cudaDeviceSynchronize());
    const double seconds = timer.seconds();
    residual = std::sqrt(sums[(done - 1) / residual_every % 2]);
    for (cudaGraphExec_t graph : {full_graph, last_graph})
      if (graph)
        CUDA_CHECK(cudaGraphExecDestroy(graph));
    if (setup.rank == 0) {
      const double rate = 8e-9 * setup.nx * setup.ny * done / seconds; // one load, one store
      course::figure(name, rate, "GB/s",
                     {.limit = 1e-9 * copy_rate, .limit_is = "copy bandwidth", .seconds = seconds});
    }
    correct &= verify(part, setup.rank, done);
    correct &= course::verify_value("residual", residual, reference_residual(setup, done), 1e-9);
  };
  run("1 one stream", 1, one_stream);
  run("2 two streams", 1, two_streams);
  run("3 two streams, graph", 1, two_streams, true);
  run("4 halo of 10 rows", 10, one_stream);
  run("5 four steps per pass", 4, k_steps<4>);
  run("6 five steps per pass", 5, k_steps<5>);
  run("7 ten steps per pass", 10, k_steps<10>);
  run("8 ten steps per pass, graph", 10, k_steps<10>, true);
  CUDA_CHECK(cudaFree(d_sums));
  CUDA_CHECK(cudaFreeHost(sums));
  NCCL_CHECK(ncclCommDestroy(queue.comm));
  MPI_Allreduce(MPI_IN_PLACE, &correct, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return setup.rank == 0 ? course::verdict(correct) : !correct;
}
