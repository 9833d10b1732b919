// Barriers, masks and waits that do not come together.
#include "cases.hpp"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// case as_often_as_the_data_says
// expect: synccheck barrier
// A loop with a barrier runs in some threads and not at all in others.
__global__ void repeated(bool fixed, const int *in, int *out) {
  const int t = threadIdx.x, rounds = fixed ? 2 : in[t];
  for (int round = 0; round < rounds; ++round)
    __syncthreads(); // @barrier
  out[t] = rounds;
}

CASE(as_often_as_the_data_says) {
  int *in = array<int>(64, 0), *out = array<int>(64);
  const std::vector<int> ones(10, 1);
  cudaMemcpy(in + 20, ones.data(), 10 * sizeof(int), cudaMemcpyHostToDevice);
  repeated<<<1, 64>>>(fixed, in, out);
}

// case barrier_in_each_case
// expect: synccheck even odd
// Lanes wait at two barriers of a switch.
__global__ void cases_of_a_switch(bool fixed, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  switch (fixed ? 0 : t % 2) {
  case 0:
    s[t] = 0;
    __syncthreads(); // @even
    break;
  default:
    s[t] = 1;
    __syncthreads(); // @odd
  }
  out[t] = s[63 - t];
}

CASE(barrier_in_each_case) { cases_of_a_switch<<<1, 64>>>(fixed, array<int>(64)); }

// case vote_of_a_part
// expect: synccheck vote
// A barrier with a vote, which only some threads of a warp take part in.
__global__ void any_left(bool fixed, const int *in, int *out) {
  const int t = threadIdx.x;
  int any = 0;
  if (fixed || t < 40)
    any = __syncthreads_or(in[t] > 0); // @vote
  out[t] = any + in[t];
}

CASE(vote_of_a_part) { any_left<<<1, 64>>>(fixed, array<int>(64, 0), array<int>(64)); }

// case barrier_in_a_function
// expect: synccheck barrier
// A function with a barrier is called by the threads with an element.
__device__ int exchanged(int *s, int value) {
  s[threadIdx.x] = value;
  __syncthreads(); // @barrier
  return s[threadIdx.x ^ 1];
}

__global__ void calls(bool fixed, const int *in, int *out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  int value = 0;
  if (fixed || t < n)
    value = exchanged(s, in[t]);
  out[t] = value;
}

CASE(barrier_in_a_function) { calls<<<1, 64>>>(fixed, array<int>(64, 0), array<int>(64), 50); }

// case tile_in_a_branch
// expect: synccheck sync
// Part of a tile waits for all of it.
__global__ void part_of_a_tile(bool fixed, const int *in, int *out) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int t = threadIdx.x;
  if (fixed || tile.thread_rank() < 10)
    tile.sync(); // @sync
  out[t] = in[t];
}

CASE(tile_in_a_branch) { part_of_a_tile<<<1, 64>>>(fixed, array<int>(64, 0), array<int>(64)); }

// case lanes_leave_a_loop
// expect: synccheck shuffle
// Lanes leave a loop one by one; those that stay still name all of them in their mask.
__global__ void countdown(bool fixed, const int *in, int *out) {
  const int t = threadIdx.x;
  int left = fixed ? 3 : 1 + t % 3, sum = 0;
  while (left > 0) {
    sum += __shfl_xor_sync(0xffffffff, in[t], 1); // @shuffle
    --left;
  }
  out[t] = sum;
}

CASE(lanes_leave_a_loop) { countdown<<<1, 32>>>(fixed, array<int>(32, 0), array<int>(32)); }

// case mask_of_another_condition
// expect: synccheck shuffle
// The mask is that of the lanes below n, the branch that of the lanes up to n.
__global__ void up_to(bool fixed, const int *in, int *out, int n) {
  const int t = threadIdx.x;
  const unsigned mask = __ballot_sync(0xffffffff, fixed ? t <= n : t < n);
  int sum = 0;
  if (t <= n)
    sum = __shfl_sync(mask, in[t], 0); // @shuffle
  out[t] = sum;
}

CASE(mask_of_another_condition) { up_to<<<1, 32>>>(fixed, array<int>(32, 0), array<int>(32), 20); }

// case votes_in_a_branch
// expect: synccheck vote
// A vote of the whole warp, where half of it takes part.
__global__ void half_votes(bool fixed, const int *in, unsigned *out) {
  const int t = threadIdx.x;
  unsigned votes = 0;
  if (t < 16)
    votes = __ballot_sync(fixed ? 0x0000ffff : 0xffffffff, in[t] == 0); // @vote
  out[t] = votes;
}

CASE(votes_in_a_branch) { half_votes<<<1, 32>>>(fixed, array<int>(32, 0), array<unsigned>(32)); }

// case match_in_a_branch
// expect: synccheck match
// Equal values are looked for among lanes that are elsewhere.
__global__ void half_match(bool fixed, const int *in, unsigned *out) {
  const int t = threadIdx.x;
  unsigned equal = 0;
  if (t % 4 != 0)
    equal = __match_any_sync(fixed ? 0xeeeeeeee : 0xffffffff, in[t]); // @match
  out[t] = equal;
}

CASE(match_in_a_branch) { half_match<<<1, 32>>>(fixed, array<int>(32, 0), array<unsigned>(32)); }

// case nobody_sets_the_flag
// expect: synccheck wait
// A thread waits for a flag that no thread sets.
__global__ void waits(bool fixed, volatile int *flag, int *out) {
  if (blockIdx.x == 0 && fixed)
    *flag = 1;
  if (blockIdx.x == 1)
    while (*flag == 0) // @wait
      ;
  out[blockIdx.x] = 1;
}

CASE(nobody_sets_the_flag) { launch(waits, 2, 1, fixed, array<int>(1, 0), array<int>(2)); }

// case one_too_many
// expect: synccheck wait
// Five are waited for where four come.
__global__ void arrivals(bool fixed, int *count, int *out) {
  atomicAdd(count, 1);
  while (atomicAdd(count, 0) < (fixed ? 4 : 5)) // @wait
    ;
  out[blockIdx.x] = 1;
}

CASE(one_too_many) { launch(arrivals, 4, 1, fixed, array<int>(1, 0), array<int>(4)); }

// case two_locks
// expect: synccheck second
// Two blocks hold a lock each and want the other's.
__global__ void crossed(bool fixed, int *lock, int *ready, int *value) {
  const int mine = blockIdx.x, other = 1 - mine;
  while (atomicCAS(&lock[fixed ? 0 : mine], 0, 1) != 0)
    ;
  atomicAdd(ready, 1);
  while (!fixed && atomicAdd(ready, 0) < 2)
    ;
  while (atomicCAS(&lock[fixed ? 1 : other], 0, 1) != 0) // @second
    ;
  __threadfence();
  *value += 1;
  __threadfence();
  atomicExch(&lock[1], 0);
  atomicExch(&lock[0], 0);
}

CASE(two_locks) {
  launch(crossed, 2, 1, fixed, array<int>(2, 0), array<int>(1, 0), array<int>(1, 0));
}

// case sum_of_a_part
// expect: synccheck sum
// Threads past the end skip a sum of the whole warp, and go on.
__global__ void reduced(bool fixed, const int *in, int n, int *out) {
  const int t = threadIdx.x;
  int sum = 0;
  if (fixed || t < n)
    sum = __reduce_add_sync(0xffffffff, t < n ? in[t] : 0); // @sum
  out[t] = sum;
}

CASE(sum_of_a_part) { reduced<<<1, 32>>>(fixed, array<int>(32, 0), 20, array<int>(32)); }
