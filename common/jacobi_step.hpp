// A faster Jacobi step, and its limit, for jacobi-mpi-versions and jacobi-nccl-versions.
#pragma once

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/jacobi.hpp"
#include "common/mpi.hpp"
#include "common/timer.hpp"

#include <cstddef>

namespace course {

// The limit of a step: the bytes that all GPUs together load and store per second when they copy
// their parts at the same time. `sharing` ranks use this rank's GPU.
inline double copy_rate(const Ranks &ranks, const Part &part, int sharing) {
  const std::size_t bytes = part.d_now.bytes();
  MPI_CHECK(MPI_Barrier(MPI_COMM_WORLD));
  const double seconds = gpu_seconds(problem_size(11, 1), [&] {
    CUDA_CHECK(
        cudaMemcpyAsync(part.d_next.data(), part.d_now.data(), bytes, cudaMemcpyDeviceToDevice));
  });
  return ranks.sum(2.0 * bytes / seconds / sharing);
}

// `pieces` times `count` rows of a part: the first ones begin at row `first`, the next ones at row
// first + apart.
struct Rows {
  int first, count, pieces = 1, apart = 0;
};

inline Rows own_rows(const Part &part) { return {part.halo, part.count}; }

// The rows that the neighbours need: as many rows at each end as the halo has. A part with at most
// twice as many rows has no inner rows.
inline Rows edge_rows(const Part &part) {
  if (part.count <= 2 * part.halo)
    return own_rows(part);
  return {part.halo, part.halo, 2, part.count - part.halo};
}
inline Rows inner_rows(const Part &part) { return {2 * part.halo, part.count - 2 * part.halo}; }

// A faster step. Each thread computes four columns of two rows. It loads and stores 16 bytes at
// once, so the pitch is a multiple of 4. The row below is its next row, already in a register.
// with_residual: adds the squares of all changes to *squares.
template <bool with_residual>
__global__ void fast_step(const float *__restrict__ now, float *__restrict__ next, int nx,
                          int pitch, int first, int count, int apart, double *squares) {
  constexpr int thread_rows = 2;
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

// d_squares may be null: then the step computes no residual.
inline void launch_fast_step(const Part &part, const Rows &rows, double *d_squares,
                             cudaStream_t stream) {
  if (rows.count <= 0)
    return;
  const dim3 block(64, 4); // 256 columns, 8 rows
  const dim3 grid((part.nx + 255) / 256, (rows.count + 7) / 8, rows.pieces);
  const auto kernel = d_squares ? fast_step<true> : fast_step<false>;
  kernel<<<grid, block, 0, stream>>>(part.d_now.data(), part.d_next.data(), part.nx, part.pitch,
                                     rows.first, rows.count, rows.apart, d_squares);
  CUDA_CHECK(cudaGetLastError());
}

} // namespace course
