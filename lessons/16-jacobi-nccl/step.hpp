// The step of the ladders of lessons 15 and 16: that of lesson 09's ladder, in float.
#pragma once

#include "common/check.hpp"
#include "lessons/16-jacobi-nccl/part.hpp"

#include <cstddef>

constexpr int thread_rows = 2; // that each thread computes

// One Jacobi step for `count` rows of a part, from row `first` on, and for as many rows `apart`
// rows further down where gridDim.z is 2: each cell becomes the mean of its four neighbours. The
// first and the last column stay. A thread has four columns: it loads and stores 16 bytes at once,
// and the row below is the next step's own row, already in a register. with_residual: adds the
// squares of all changes to *squares, in double.
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
    for (int i = 0; i < thread_rows; ++i) { // so few turns that nvcc unrolls the loop
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
  if (with_residual) { // one addition for each block: those of each warp would take as long as the
                       // step
    __shared__ double parts[32]; // of the block's warps
    for (int away = 16; away > 0; away /= 2)
      sum += __shfl_down_sync(0xFFFFFFFFu, sum, away);
    const int thread = threadIdx.y * blockDim.x + threadIdx.x;
    const int warps = blockDim.x * blockDim.y / 32;
    if (thread % 32 == 0)
      parts[thread / 32] = sum;
    __syncthreads();
    if (thread == 0) {
      for (int warp = 1; warp < warps; ++warp)
        sum += parts[warp];
      atomicAdd(squares, sum);
    }
  }
}

// Some rows of a part: `count` from `first` on, `pieces` times, with `apart` rows from one piece's
// first row to that of the next.
struct Rows {
  int first, count, pieces, apart;
};

inline Rows all_rows(const Part &part) { return {part.halo, part.count, 1, 0}; }

// The rows that other ranks need, above and below, and the rows between them. Where a part has no
// rows between them, all belong to the edges.
inline Rows edges_of(const Part &part) {
  if (part.count <= 2 * part.halo)
    return all_rows(part);
  return {part.halo, part.halo, 2, part.count - part.halo};
}
inline Rows inner_rows(const Part &part) {
  return {2 * part.halo, part.count - 2 * part.halo, 1, 0};
}

// The step from d_now to d_next for these rows; adds the squares of all changes to *d_squares,
// where that is not nullptr.
inline void launch(const Part &part, const Rows &rows, double *d_squares, cudaStream_t stream) {
  if (rows.count <= 0)
    return;
  const dim3 block(64, 4),
      grid((part.nx + 4 * block.x - 1) / (4 * block.x),
           (rows.count + thread_rows * block.y - 1) / (thread_rows * block.y), rows.pieces);
  const auto kernel = d_squares ? step<true> : step<false>;
  kernel<<<grid, block, 0, stream>>>(part.d_now, part.d_next, part.nx, part.pitch, rows.first,
                                     rows.count, rows.apart, d_squares);
  CUDA_CHECK(cudaGetLastError());
}
