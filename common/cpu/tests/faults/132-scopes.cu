// Fences, atomics and shuffles whose scope is too narrow, and those whose scope is right.
#include "cases.hpp"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// case fence_of_the_block
// expect: racecheck partial total
// A fence for the block does not order what another block reads.
__global__ void last_block(bool fixed, int *partial, unsigned *done, int *out) {
  partial[blockIdx.x] = 1; // @partial
  if (fixed)
    __threadfence();
  else
    __threadfence_block();
  if (atomicAdd(done, 1) == gridDim.x - 1) {
    __threadfence();
    int sum = 0;
    for (unsigned i = 0; i < gridDim.x; ++i)
      sum += partial[i]; // @total
    *out = sum;
  }
}

CASE(fence_of_the_block) {
  last_block<<<5, 1>>>(fixed, array<int>(5, 0), array<unsigned>(1, 0), array<int>(1));
}

// case reader_looks_within_its_block
// expect: racecheck value received
// expect: racecheck flag look
// The writer's flag is set device-wide; the reader looks with an atomic of its block.
__global__ void received(bool fixed, int *value, int *flag, int *out) {
  if (blockIdx.x == 0) {
    *value = 42; // @value
    __threadfence();
    atomicExch(flag, 1); // @flag
  } else {
    while (fixed ? atomicAdd(flag, 0) == 0 : atomicAdd_block(flag, 0) == 0) // @look
      ;
    __threadfence();
    *out = *value; // @received
  }
}

CASE(reader_looks_within_its_block) {
  launch(received, 2, 1, fixed, array<int>(1), array<int>(1, 0), array<int>(1));
}

// case counter_of_the_block
// expect: racecheck add add
// Blocks count in one variable with an atomic operation that holds within a block.
__global__ void counted(bool fixed, int *count) {
  if (fixed)
    atomicAdd(count, 1);
  else
    atomicAdd_block(count, 1); // @add
}

CASE(counter_of_the_block) { counted<<<3, 64>>>(fixed, array<int>(1, 0)); }

// case two_scopes
// expect: racecheck narrow wide
// One block counts within itself, the others device-wide.
__global__ void two_kinds(bool fixed, int *count) {
  if (blockIdx.x == 0 && !fixed)
    atomicAdd_block(count, 1); // @narrow
  else
    atomicAdd(count, 1); // @wide
}

CASE(two_scopes) { two_kinds<<<3, 32>>>(fixed, array<int>(1, 0)); }

// case maximum_of_the_block
// expect: racecheck larger larger
// The same with another operation, on a variable of the device.
__device__ int most;

__global__ void maxima(bool fixed, const int *in) {
  const int mine = in[blockIdx.x * 32 + threadIdx.x];
  if (fixed)
    atomicMax(&most, mine);
  else
    atomicMax_block(&most, mine); // @larger
}

CASE(maximum_of_the_block) { maxima<<<3, 32>>>(fixed, array<int>(96, 0)); }

// case counters_of_blocks
// expect: nothing
// Each block has a counter of its own: the scope of a block is enough.
__global__ void own_counters(const int *in, int *counts) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (in[i] == 0)
    atomicAdd_block(&counts[blockIdx.x], 1);
}

CASE(counters_of_blocks) { own_counters<<<4, 64>>>(array<int>(256, 0), array<int>(4, 0)); }

// case turn_within_a_block
// expect: nothing
// Within a block a fence for the block is enough: the last thread to come reads what the others
// wrote.
__global__ void last_thread(int *partial, int *out) {
  __shared__ int done;
  const int t = threadIdx.x;
  int *mine = partial + blockIdx.x * 64;
  if (t == 0)
    done = 0;
  __syncthreads();
  mine[t] = t;
  __threadfence_block();
  if (atomicAdd_block(&done, 1) == 63) {
    __threadfence_block();
    int sum = 0;
    for (int i = 0; i < 64; ++i)
      sum += mine[i];
    out[blockIdx.x] = sum;
  }
}

CASE(turn_within_a_block) { last_thread<<<2, 64>>>(array<int>(128), array<int>(2)); }

// case fence_of_the_system
// expect: nothing
// A fence for the whole system orders at least as much as one for the device.
__global__ void system_wide(int *partial, int *done, int *out) {
  partial[blockIdx.x] = 1;
  __threadfence_system();
  if (atomicAdd_system(done, 1) == int(gridDim.x) - 1) {
    __threadfence_system();
    int sum = 0;
    for (unsigned i = 0; i < gridDim.x; ++i)
      sum += partial[i];
    *out = sum;
  }
}

CASE(fence_of_the_system) { system_wide<<<5, 1>>>(array<int>(5), array<int>(1, 0), array<int>(1)); }

// case source_outside_the_mask
// expect: synccheck shuffle
// Half a warp takes its value from a lane of the other half, which does not take part.
__global__ void from_lane(bool fixed, const int *in, int *out) {
  const int t = threadIdx.x;
  int value = in[t];
  if (t < 16)
    value = __shfl_sync(0x0000ffff, value, fixed ? 12 : 20); // @shuffle
  out[t] = value;
}

CASE(source_outside_the_mask) { from_lane<<<1, 32>>>(fixed, array<int>(32, 0), array<int>(32)); }

// case exchange_across_the_mask
// expect: synccheck shuffle
// Each lane of a quarter exchanges with one of the next quarter.
__global__ void butterfly(bool fixed, const int *in, int *out) {
  const int t = threadIdx.x;
  if (t < 8)
    out[t] = __shfl_xor_sync(0xff, in[t], fixed ? 4 : 8); // @shuffle
}

CASE(exchange_across_the_mask) { butterfly<<<1, 32>>>(fixed, array<int>(32, 0), array<int>(8)); }

// case leader_is_not_there
// expect: synccheck shuffle
// The odd lanes take a value from lane 0, as if it were one of them.
__global__ void odd_lanes(bool fixed, int *out) {
  const int t = threadIdx.x;
  int first = -1;
  if (t % 2 == 1) {
    const unsigned here = __ballot_sync(0xaaaaaaaa, true);
    first = __shfl_sync(here, t, fixed ? __ffs(here) - 1 : 0); // @shuffle
  }
  out[t] = first;
}

CASE(leader_is_not_there) { odd_lanes<<<1, 32>>>(fixed, array<int>(32)); }

// case source_has_left
// expect: synccheck shuffle
// Threads past the end return; the sum of the last warp takes values from their lanes.
__global__ void guarded_sum(bool fixed, const int *in, int n, int *out) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n && !fixed)
    return;
  int sum = i < n ? in[i] : 0;
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, d); // @shuffle
  if (threadIdx.x % 32 == 0)
    atomicAdd(out, sum);
}

CASE(source_has_left) { guarded_sum<<<2, 64>>>(fixed, array<int>(100, 0), 100, array<int>(1, 0)); }

// case last_lane_has_left
// expect: synccheck shuffle
// The last lane's value is wanted after that lane has returned.
__global__ void last_value(bool fixed, const int *in, int *out) {
  const int t = threadIdx.x;
  if (t == 31 && !fixed)
    return;
  out[t] = in[t] + __shfl_sync(fixed ? 0xffffffff : 0x7fffffff, in[t], 31); // @shuffle
}

CASE(last_lane_has_left) { last_value<<<1, 32>>>(fixed, array<int>(32, 0), array<int>(32)); }

// case sums_of_groups
// expect: nothing
// Groups of eight lanes: the width keeps each source within its group.
__global__ void group_sums(const int *in, int *out) {
  const int t = threadIdx.x;
  const unsigned mask = 0xffu << t / 8 * 8;
  int sum = in[t];
  for (int d = 4; d > 0; d /= 2)
    sum += __shfl_down_sync(mask, sum, d, 8);
  if (t % 8 == 0)
    out[t / 8] = sum;
}

CASE(sums_of_groups) { group_sums<<<1, 32>>>(array<int>(32, 0), array<int>(4)); }

// case up_to_the_first_lane
// expect: nothing
// A scan by shuffles: lanes without a source keep their own value.
__global__ void scanned(const int *in, int *out) {
  const int t = threadIdx.x;
  int sum = in[t];
  for (int d = 1; d < 32; d *= 2) {
    const int before = __shfl_up_sync(0xffffffff, sum, d);
    if (t >= d)
      sum += before;
  }
  out[t] = sum;
}

CASE(up_to_the_first_lane) { scanned<<<1, 32>>>(array<int>(32, 0), array<int>(32)); }

// case part_of_a_group
// expect: nothing
// Whoever is in the branch forms a group; its ranks count from 0.
__global__ void grouped(const int *in, int *out) {
  const int t = threadIdx.x;
  int value = 0;
  if (in[t] + t % 3 == 1) {
    const auto group = cg::coalesced_threads();
    value = group.shfl(t, 0) + int(group.size());
  }
  out[t] = value;
}

CASE(part_of_a_group) { grouped<<<1, 64>>>(array<int>(64, 0), array<int>(64)); }
