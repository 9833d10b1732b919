// The two passes over X of linear-layer.cu, with their tiles as parameters of templates.
#pragma once

#include "lessons/12-linear-layer/layer.hpp"

// Rows of X that a warp works on at a time: each weight that it loads is used for all of them. A
// block has `warps` warps, and `slice` float4s of the weights of each output in shared memory.
// ahead: each thread loads its next numbers before it uses those that it has.
template <int tile, int warps, int slice, bool ahead>
__global__ void __launch_bounds__(32 * warps)
    forward(const float4 *x, const float4 *w, float *part, int rows, int fours) {
  __shared__ float4 weights[outputs][slice];
  const int first = blockIdx.x * slice, width = min(slice, fours - first), lane = threadIdx.x % 32;
  for (int i = threadIdx.x; i < outputs * width; i += 32 * warps)
    weights[i / width][i % width] = w[i / width * fours + first + i % width];
  __syncthreads();
  const int first_row = tile * (blockIdx.y * warps + threadIdx.x / 32);
  for (int row = first_row; row < rows; row += tile * warps * gridDim.y) {
    float sum[tile * outputs] = {};
    float4 mine[tile], next[tile] = {};
    const auto load = [&](float4(&to)[tile], int k) {
      for (int r = 0; r < tile; ++r)
        to[r] = x[min(row + r, rows - 1) * fours + first + k];
    };
    if (ahead && lane < width)
      load(next, lane);
    for (int k = lane; k < width; k += 32) {
      if (ahead) {
        for (int r = 0; r < tile; ++r)
          mine[r] = next[r];
        if (k + 32 < width)
          load(next, k + 32);
      } else
        load(mine, k);
      for (int o = 0; o < outputs; ++o)
        for (int r = 0; r < tile; ++r)
          add_product(sum[r * outputs + o], mine[r], weights[o][k]);
    }
    store_lane_sums<tile * outputs>(sum, part + (blockIdx.x * rows + row) * outputs,
                                    (rows - row) * outputs);
  }
}

// at_once: rows whose loads are in flight together. chunk: rows of E in shared memory.
template <int at_once, int threads, bool ahead>
__global__ void __launch_bounds__(threads)
    backward(const float4 *x, const float *error, float4 *part, int rows, int fours, int slab) {
  constexpr int chunk = 64;
  __shared__ float e[outputs][chunk + 4];
  const int k = blockIdx.x * threads + threadIdx.x;
  const int end = min(rows, int(blockIdx.y + 1) * slab);
  float4 sum[outputs] = {}, mine[at_once], next[at_once] = {};
  const auto load = [&](float4(&to)[at_once], int row) {
    for (int r = 0; r < at_once; ++r)
      to[r] = x[min(row + r, rows - 1) * fours + k];
  };
  if (ahead && k < fours)
    load(next, blockIdx.y * slab);
  for (int first = blockIdx.y * slab; first < end; first += chunk) {
    __syncthreads(); // nobody reads the errors of the last chunk any more
    for (int i = threadIdx.x; i < chunk * outputs; i += threads)
      e[i % outputs][i / outputs] =
          first * outputs + i < end * outputs ? error[first * outputs + i] : 0;
    __syncthreads();
#pragma unroll 1 // else the compiler puts several rounds' loads together
    for (int row = 0; row < chunk && first + row < end && k < fours; row += at_once) {
      if (ahead) {
        for (int r = 0; r < at_once; ++r)
          mine[r] = next[r];
        if (first + row + at_once < end)
          load(next, first + row + at_once);
      } else
        load(mine, first + row);
      for (int o = 0; o < outputs; ++o)
        for (int r = 0; r < at_once; ++r)
          add_product(sum[o], e[o][row + r], mine[r]);
    }
  }
  for (int o = 0; o < outputs && k < fours; ++o)
    part[(blockIdx.y * outputs + o) * fours + k] = sum[o];
}
