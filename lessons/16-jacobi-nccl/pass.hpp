// Several steps in one pass over memory: lesson 09's pipeline, in float, for a part with a wide
// halo.
#pragma once

#include "common/check.hpp"
#include "lessons/16-jacobi-nccl/part.hpp"
#include "lessons/16-jacobi-nccl/step.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

// A warp walks down a strip of 128 columns, four per lane. At each side of the strip `strip_halo`
// columns lack a neighbour for one of the steps: the strips overlap by so much, and only the
// columns between are stored.
template <int steps> constexpr int strip_halo = (steps + 3) / 4 * 4; // whole lanes
template <int steps> constexpr int strip_columns = 128 - 2 * strip_halo<steps>;

constexpr int strip_threads = 128; // of a block: four strips side by side
constexpr int ahead = 3;           // rows whose loads are in flight
constexpr int unrolled = 6;        // rows: a multiple of `ahead`, so that the queue needs no moves
constexpr int waves = 4;           // times that a launch fills the device

// A warp's way down: it stores `rows` rows to `to`, and reads `steps` more above and below them,
// from `from` on. When a row arrives, the row above it can do its first step, the one above that
// its second, and so on. Of each step a lane keeps its last row, and what the means of that row
// have so far: left, right and above.
//
// plain_step adds in this order, so all bits are the same. __fmul_rn is a product that the compiler
// must not merge with the next addition (FMA): where values are so small that a quarter of them is
// rounded, the bits would differ.
//
// at_side: the strip has the first or the last column of the mesh, which are fixed.
template <int steps, bool at_side, bool with_residual>
__device__ void walk(const float *from, float *to, int x, int nx, int pitch, int rows, bool stores,
                     double &squares) {
  const int arriving = rows + 2 * steps;
  const bool fixed[] = {x <= 0 || x >= nx - 1, x + 1 >= nx - 1, x + 2 >= nx - 1, x + 3 >= nx - 1};
  const auto load = [=](int n) {
    return *reinterpret_cast<const float4 *>(from + std::size_t(min(n, arriving - 1)) * pitch);
  };
  float4 coming[ahead], here[steps] = {}, sum[steps] = {};
#pragma unroll
  for (int i = 0; i < ahead; ++i)
    coming[i] = load(i);
  for (int n = 0; n < arriving;) {
#pragma unroll
    for (int i = 0; i < unrolled; ++i, ++n) {
      float4 row = coming[i % ahead], before{};
      coming[i % ahead] = load(n + ahead);
#pragma unroll
      for (int s = 0; s < steps; ++s) {
        const float4 below = row, above = sum[s];
        before = here[s];
        here[s] = below;
        row = {__fmul_rn(0.25f, above.x + below.x), __fmul_rn(0.25f, above.y + below.y),
               __fmul_rn(0.25f, above.z + below.z), __fmul_rn(0.25f, above.w + below.w)};
        if constexpr (at_side)
          row = {fixed[0] ? before.x : row.x, fixed[1] ? before.y : row.y,
                 fixed[2] ? before.z : row.z, fixed[3] ? before.w : row.w};
        const float left = __shfl_up_sync(~0u, below.w, 1);
        const float right = __shfl_down_sync(~0u, below.x, 1);
        sum[s] = {left + below.y + before.x, below.x + below.z + before.y,
                  below.y + below.w + before.z, below.z + right + before.w};
      }
      if (stores && n >= 2 * steps && n < arriving) {
        *reinterpret_cast<float4 *>(to + std::size_t(n - 2 * steps) * pitch) = row;
        if constexpr (with_residual)
          for (const float change :
               {row.x - before.x, row.y - before.y, row.z - before.z, row.w - before.w})
            squares += double(change) * change;
      }
    }
  }
}

// `steps` steps for `count` rows of a part, from row `first` on, and for as many rows `apart` rows
// further down where gridDim.z is 2. A warp stores `segment` rows. The part has a halo of at least
// `steps` rows.
template <int steps, bool with_residual>
__global__ void pass(const float *__restrict__ now, float *__restrict__ next, int nx, int pitch,
                     int first, int count, int apart, int segment, double *squares) {
  constexpr int halo = strip_halo<steps>, own = strip_columns<steps>;
  const int lane = threadIdx.x % 32, strip = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (strip * own >= nx) // the same for all lanes of a warp, so none waits for another in a shuffle
    return;
  const int x = strip * own - halo + 4 * lane;
  const bool stores = lane >= halo / 4 && lane < 32 - halo / 4 && x < nx;
  const bool at_side = strip == 0 || (strip + 1) * own + halo >= nx;
  const int done = blockIdx.y * segment, rows = min(segment, count - done);
  const int top = first + int(blockIdx.z) * apart + done;
  const float *const from = now + std::size_t(top - steps) * pitch + min(max(x, 0), pitch - 4);
  float *const to = next + std::size_t(top) * pitch + x;
  double sum = 0;
  if (at_side)
    walk<steps, true, with_residual>(from, to, x, nx, pitch, rows, stores, sum);
  else
    walk<steps, false, with_residual>(from, to, x, nx, pitch, rows, stores, sum);
  if constexpr (with_residual) {
    for (int away = 16; away > 0; away /= 2)
      sum += __shfl_down_sync(~0u, sum, away);
    if (lane == 0)
      atomicAdd(squares, sum);
  }
}

// The blocks of `kernel` that the device runs at the same time.
template <class Kernel> int resident_blocks(Kernel kernel) {
  int device = 0, processors = 0, blocks = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, strip_threads, 0));
  return blocks * processors;
}

// Each warp reads 2 * steps rows more than it stores: long segments waste less. But all
// multiprocessors must have work to the end: so many segments that the device is filled `waves`
// times, and none but the last shorter than 2 * steps rows.
template <int steps>
void launch_strips(const Part &part, const Rows &rows, double *d_squares, cudaStream_t stream) {
  static const int resident = resident_blocks(pass<steps, false>);
  const int strips = (part.nx + strip_columns<steps> - 1) / strip_columns<steps>;
  const int blocks = (strips + strip_threads / 32 - 1) / (strip_threads / 32);
  const int wanted = std::max(1, waves * resident / (blocks * rows.pieces));
  const int segment = std::max(2 * steps, (rows.count + wanted - 1) / wanted);
  const dim3 grid(blocks, (rows.count + segment - 1) / segment, rows.pieces);
  const auto kernel = d_squares ? pass<steps, true> : pass<steps, false>;
  kernel<<<grid, strip_threads, 0, stream>>>(part.d_now, part.d_next, part.nx, part.pitch,
                                             rows.first, rows.count, rows.apart, segment,
                                             d_squares);
  CUDA_CHECK(cudaGetLastError());
}

// As many steps as the part's halo has rows, in one pass over memory.
inline void launch_pass(const Part &part, const Rows &rows, double *d_squares,
                        cudaStream_t stream) {
  if (rows.count <= 0)
    return;
  switch (part.halo) {
  case 1:
    return launch(part, rows, d_squares, stream);
  case 2:
    return launch_strips<2>(part, rows, d_squares, stream);
  case 4:
    return launch_strips<4>(part, rows, d_squares, stream);
  case 5:
    return launch_strips<5>(part, rows, d_squares, stream);
  case 10:
    return launch_strips<10>(part, rows, d_squares, stream);
  default:
    std::fprintf(stderr, "no kernel does %d steps in one pass\n", part.halo);
    std::exit(EXIT_FAILURE);
  }
}
