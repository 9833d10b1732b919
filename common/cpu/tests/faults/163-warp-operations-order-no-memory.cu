// Shuffles, votes, matches and reductions of a warp order no memory: what a lane wrote before one,
// another lane must not read behind it without a __syncwarp.
#include "cases.hpp"

#include <cooperative_groups.h>

// case vote
// expect: racecheck vote_write vote_read
// says: a __syncwarp or a __syncthreads is missing
// says: Shuffles and votes order no memory
__global__ void vote_kernel(bool fixed, int *out) {
  __shared__ int values[32];
  values[threadIdx.x] = threadIdx.x; // @vote_write
  if (fixed)
    __syncwarp();
  if (__any_sync(~0u, threadIdx.x < 40))
    out[threadIdx.x] = values[31 - threadIdx.x]; // @vote_read
}
CASE(vote) { vote_kernel<<<1, 32>>>(fixed, array<int>(32)); }

// case ballot_of_two_halves
// expect: racecheck write read
// Each half of the warp votes with its own mask.
__global__ void halves(bool fixed, int *out) {
  __shared__ int values[32];
  const int lane = threadIdx.x, half = lane / 16 * 16;
  values[lane] = lane; // @write
  if (fixed)
    __syncwarp(0xffffu << half);
  if (__ballot_sync(0xffffu << half, lane >= 0))
    out[lane] = values[half + (lane + 5) % 16]; // @read
}
CASE(ballot_of_two_halves) { halves<<<1, 32>>>(fixed, array<int>(32)); }

// case shuffle
// expect: racecheck write read
// The kernel of a language model in small: notes in shared memory, a sum of their number by
// shuffles, then the notes of other lanes.
__global__ void collect(bool fixed, const int *in, int n, int *out) {
  __shared__ int notes[64];
  int all = 0;
  for (int i = threadIdx.x; i < n; i += 32, ++all)
    notes[i] = in[i]; // @write
  for (int d = 16; d > 0; d /= 2)
    all += __shfl_xor_sync(~0u, all, d);
  if (fixed)
    __syncwarp();
  for (int i = threadIdx.x; i < all; i += 32)
    out[i] = notes[all - 1 - i]; // @read
}
CASE(shuffle) { collect<<<1, 32>>>(fixed, array<int>(64, 0), 64, array<int>(64)); }

// case match_in_global_memory
// expect: racecheck write read
__global__ void matched(bool fixed, int *values, int *out) {
  values[threadIdx.x] = threadIdx.x; // @write
  if (fixed)
    __syncwarp();
  if (__match_any_sync(~0u, 7))
    out[threadIdx.x] = values[threadIdx.x ^ 1]; // @read
}
CASE(match_in_global_memory) { matched<<<1, 32>>>(fixed, array<int>(32), array<int>(32)); }

// case reduction
// expect: racecheck write read
// The total is known, the values that others wrote are not.
__global__ void reduced(bool fixed, int *out) {
  __shared__ int values[32];
  values[threadIdx.x] = 1; // @write
  const int total = __reduce_add_sync(~0u, 1);
  if (fixed)
    __syncwarp();
  out[threadIdx.x] = total - values[31 - threadIdx.x]; // @read
}
CASE(reduction) { reduced<<<1, 32>>>(fixed, array<int>(32)); }

// case tile
// expect: racecheck write read
// shfl of a tile is a shuffle; sync is a barrier.
__global__ void of_tile(bool fixed, int *out) {
  __shared__ int values[32];
  const auto tile =
      cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
  values[tile.thread_rank()] = 5; // @write
  const int from = tile.shfl(31, 0);
  if (fixed)
    tile.sync();
  out[tile.thread_rank()] = values[from - tile.thread_rank()]; // @read
}
CASE(tile) { of_tile<<<1, 32>>>(fixed, array<int>(32)); }

// case leader_is_the_last
// expect: racecheck write read
// Lane 0 takes over what the other block has published; a shuffle hands on its ticket, and no more.
__global__ void tickets(bool fixed, int *data, int *count, int *out) {
  const int lane = threadIdx.x;
  data[32 * blockIdx.x + lane] = lane; // @write
  __threadfence();
  __syncwarp();
  int ticket = lane == 0 ? atomicAdd(count, 1) : 0;
  if (fixed)
    __syncwarp();
  ticket = __shfl_sync(~0u, ticket, 0);
  if (ticket == 1)
    out[lane] = data[32 * (1 - blockIdx.x) + lane]; // @read
}
CASE(leader_is_the_last) {
  tickets<<<2, 32>>>(fixed, array<int>(64), array<int>(1, 0), array<int>(32));
}

// case right_without_barrier
// expect: nothing
// Values that go through the operations themselves, through atomics, and through own elements; a
// fence of all lanes, a shuffle, then __syncwarp and an atomic that publishes.
__global__ void right(int *count, int *data, int *out) {
  __shared__ int sum, own[32];
  const int lane = threadIdx.x;
  own[lane] = lane;
  if (lane == 0)
    sum = 0;
  __syncwarp();
  const unsigned odd = __ballot_sync(~0u, own[lane] & 1);
  if (lane == __ffs(odd) - 1)
    atomicAdd(&sum, __popc(odd));
  const int next = __shfl_down_sync(~0u, own[lane], 1);
  data[lane] = next;
  __threadfence();
  int ticket = __shfl_sync(~0u, lane, 0);
  __syncwarp();
  if (lane == 0)
    ticket = atomicAdd(count, 1);
  out[lane] = ticket + sum * 0 + own[lane];
}
CASE(right_without_barrier) { right<<<1, 32>>>(array<int>(1, 0), array<int>(32), array<int>(32)); }
