// Races in shared memory.
#include "cases.hpp"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// case transpose
// expect: racecheck store load
// A tile is transposed before all of it is loaded.
__global__ void transposed(bool fixed, const int *in, int *out) {
  __shared__ int tile[16][17];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 16 + threadIdx.x]; // @store
  if (fixed)
    __syncthreads();
  out[threadIdx.y * 16 + threadIdx.x] = tile[threadIdx.x][threadIdx.y]; // @load
}

CASE(transpose) { transposed<<<1, dim3(16, 16)>>>(fixed, array<int>(256, 1), array<int>(256)); }

// case smooth_in_place
// expect: racecheck right write
// The neighbours are read and overwritten in one step of a loop with a single barrier.
__global__ void smoothed(bool fixed, const float *in, float *out) {
  __shared__ float s[130];
  const int t = threadIdx.x;
  s[t + 1] = in[t];
  if (t == 0)
    s[0] = s[129] = 0;
  for (int step = 0; step < 3; ++step) {
    __syncthreads();
    float sum = s[t];
    sum += s[t + 2]; // @right
    if (fixed)
      __syncthreads();
    s[t + 1] = sum / 2; // @write
  }
  out[t] = s[t + 1];
}

CASE(smooth_in_place) { smoothed<<<1, 128>>>(fixed, array<float>(128, 0), array<float>(128)); }

// case broadcast_again
// expect: racecheck give take
// The slot of a broadcast is used again before every thread has read it.
__global__ void rounds(bool fixed, const int *in, int *out) {
  __shared__ int slot;
  int sum = 0;
  for (int round = 0; round < 4; ++round) {
    if (threadIdx.x == 0)
      slot = in[round]; // @give
    __syncthreads();
    sum += slot; // @take
    if (fixed)
      __syncthreads();
  }
  out[threadIdx.x] = sum;
}

CASE(broadcast_again) { rounds<<<1, 96>>>(fixed, array<int>(4, 0), array<int>(96)); }

// case carry
// expect: racecheck carried use
// The last thread sets the carry of a chunked scan while the others still add the old one.
__global__ void chunks(bool fixed, const int *in, int *out, int n) {
  __shared__ int s[64], carry;
  const int t = threadIdx.x;
  if (t == 0)
    carry = 0;
  for (int first = 0; first < n; first += 64) {
    __syncthreads();
    s[t] = in[first + t];
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
      const int before = t >= d ? s[t - d] : 0;
      __syncthreads();
      s[t] += before;
      __syncthreads();
    }
    const int total = carry + s[t]; // @use
    out[first + t] = total;
    if (fixed)
      __syncthreads();
    if (t == 63)
      carry = total; // @carried
  }
}

CASE(carry) { chunks<<<1, 64>>>(fixed, array<int>(256, 0), array<int>(256), 256); }

// case argmax
// expect: racecheck index result
// The values of the tree are kept apart by its barriers; the last index is read by another thread
// without one.
__global__ void largest(bool fixed, const float *in, int *out) {
  __shared__ float value[128];
  __shared__ int index[128];
  const int t = threadIdx.x;
  value[t] = in[t];
  index[t] = t;
  for (int half = 64; half > 0; half /= 2) {
    __syncthreads();
    if (t < half && value[t + half] >= value[t]) {
      value[t] = value[t + half];
      index[t] = index[t + half]; // @index
    }
  }
  if (fixed)
    __syncthreads();
  if (t == 127)
    *out = index[0]; // @result
}

CASE(argmax) { largest<<<1, 128>>>(fixed, array<float>(128, 0), array<int>(1)); }

// case warp_sums
// expect: racecheck partial finish
// Each warp leaves its sum; the first warp adds them up at once.
__global__ void two_levels(bool fixed, const int *in, int *out) {
  __shared__ int sums[8];
  const int t = threadIdx.x, lane = t % 32;
  int sum = in[t];
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, d);
  if (lane == 0)
    sums[t / 32] = sum; // @partial
  if (fixed)
    __syncthreads();
  if (t < 32) {
    int total = lane < 8 ? sums[lane] : 0; // @finish
    for (int d = 4; d > 0; d /= 2)
      total += __shfl_down_sync(0xffffffff, total, d);
    if (lane == 0)
      *out = total;
  }
}

CASE(warp_sums) { two_levels<<<1, 256>>>(fixed, array<int>(256, 0), array<int>(1)); }

// case bits_of_a_word
// expect: racecheck or or
// Threads set their bits of a word by |=, which loads and stores the whole word.
__global__ void bit_mask(bool fixed, const int *in, unsigned *out) {
  __shared__ unsigned mask[2];
  const int t = threadIdx.x;
  if (t < 2)
    mask[t] = 0;
  __syncthreads();
  if (in[t] >= 0) {
    if (fixed)
      atomicOr(&mask[t / 32], 1u << t % 32);
    else
      mask[t / 32] |= 1u << t % 32; // @or
  }
  __syncthreads();
  if (t < 2)
    out[t] = mask[t];
}

CASE(bits_of_a_word) { bit_mask<<<1, 64>>>(fixed, array<int>(64, 0), array<unsigned>(2)); }

// case tile_sync
// expect: racecheck write read
// A tile of 32 threads waits where values go from warp to warp.
__global__ void rotated(bool fixed, int *out) {
  __shared__ int s[128];
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);
  const int t = threadIdx.x;
  s[t] = t; // @write
  if (fixed)
    block.sync();
  else
    tile.sync();
  out[t] = s[(t + 32) % 128]; // @read
}

CASE(tile_sync) { rotated<<<1, 128>>>(fixed, array<int>(128)); }

// case halo_after_the_barrier
// expect: racecheck halo sum
// The halo is loaded only when the barrier is past.
__global__ void three_points(bool fixed, const float *in, float *out) {
  __shared__ float s[66];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t + 1] = in[i + 1];
  if (!fixed)
    __syncthreads();
  if (t == 0) {
    s[0] = in[i];
    s[65] = in[i + 65]; // @halo
  }
  if (fixed)
    __syncthreads();
  const float a = s[t], b = s[t + 2]; // @sum
  out[i] = a + s[t + 1] + b;
}

CASE(halo_after_the_barrier) {
  three_points<<<4, 64>>>(fixed, array<float>(258, 0), array<float>(256));
}

// case members
// expect: racecheck stop next
// The first members are read behind a barrier, the second ones are written after it.
struct Interval {
  int start, stop;
};

__global__ void neighbours(bool fixed, int *out) {
  __shared__ Interval s[64];
  const int t = threadIdx.x;
  s[t].start = t;
  __syncthreads();
  s[t].stop = s[(t + 1) % 64].start; // @stop
  if (fixed)
    __syncthreads();
  out[t] = s[63 - t].stop; // @next
}

CASE(members) { neighbours<<<1, 64>>>(fixed, array<int>(64)); }

// case overlapping_parts
// expect: racecheck first second
// Two arrays share dynamic memory; the second begins at half of the first one's end.
__global__ void parts(bool fixed, int *out) {
  extern __shared__ int memory[];
  int *first = memory, *second = memory + (fixed ? 64 : 32);
  const int t = threadIdx.x;
  first[t] = t;   // @first
  second[t] = -t; // @second
  __syncthreads();
  out[t] = first[63 - t] + second[63 - t];
}

CASE(overlapping_parts) { parts<<<1, 64, 128 * sizeof(int)>>>(fixed, array<int>(64)); }

// case double_buffer
// expect: racecheck prefetch use
// Tiles are loaded one ahead into two buffers; every other step has no barrier.
__global__ void pipeline(bool fixed, const int *in, int *out) {
  __shared__ int buffer[2][64];
  const int t = threadIdx.x;
  int sum = 0;
  buffer[0][t] = in[t];
  __syncthreads();
  for (int k = 0; k < 6; ++k) {
    if (k < 5)
      buffer[(k + 1) % 2][t] = in[(k + 1) * 64 + t]; // @prefetch
    sum += buffer[k % 2][63 - t];                    // @use
    if (fixed || k % 2 == 1)
      __syncthreads();
  }
  out[t] = sum;
}

CASE(double_buffer) { pipeline<<<1, 64>>>(fixed, array<int>(6 * 64, 0), array<int>(64)); }

// case odd_even_sort
// expect: racecheck load store
// The phases of a sort are not kept apart.
__global__ void sorted(bool fixed, int *values) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = values[t];
  s[t + 64] = values[t + 64];
  __syncthreads();
  for (int phase = 0; phase < 4; ++phase) {
    const int i = 2 * t + phase % 2;
    if (i + 1 < 128) {
      const int a = s[i], b = s[i + 1]; // @load
      s[i] = min(a, b);                 // @store
      s[i + 1] = max(a, b);
    }
    if (fixed)
      __syncthreads();
  }
  __syncthreads();
  values[t] = s[t];
  values[t + 64] = s[t + 64];
}

CASE(odd_even_sort) { sorted<<<1, 64>>>(fixed, array<int>(128, 0)); }

// case storage_used_again
// expect: racecheck total flags
// The memory of a reduction serves another purpose before its result is read.
__global__ void reused(bool fixed, const int *in, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  for (int half = 32; half > 0; half /= 2) {
    __syncthreads();
    if (t < half)
      s[t] += s[t + half];
  }
  __syncthreads();
  const int total = s[0]; // @total
  if (fixed)
    __syncthreads();
  s[t] = in[t] > total; // @flags
  __syncthreads();
  out[t] = s[63 - t];
}

CASE(storage_used_again) { reused<<<1, 64>>>(fixed, array<int>(64, 0), array<int>(64)); }

// case halves_of_a_warp
// expect: racecheck write read
// One half of a warp waits for itself only; the other half reads what it wrote.
__global__ void halves(bool fixed, int *out) {
  __shared__ int s[16];
  const int t = threadIdx.x;
  if (t < 16) {
    s[t] = t; // @write
    __syncwarp(0xffff);
  }
  if (fixed)
    __syncwarp();
  if (t >= 16)
    out[t - 16] = s[31 - t]; // @read
}

CASE(halves_of_a_warp) { halves<<<1, 32>>>(fixed, array<int>(16)); }

// case warp_scan
// expect: racecheck load store
// A warp scans its values in shared memory as if its lanes ran in step.
__global__ void lane_scan(bool fixed, const int *in, int *out) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncwarp();
  for (int d = 1; d < 32; d *= 2) {
    const int before = t >= d ? s[t - d] : 0; // @load
    if (fixed)
      __syncwarp();
    s[t] += before; // @store
    __syncwarp();
  }
  out[t] = s[t];
}

CASE(warp_scan) { lane_scan<<<1, 32>>>(fixed, array<int>(32, 0), array<int>(32)); }
