// Divergent barriers, and masks of warps.
#include "cases.hpp"

#include <cooperative_groups.h>

// case barrier_in_a_branch
// expect: synccheck barrier
// Half of the threads pass by the barrier and go on.
__global__ void shift_in_branch(bool fixed, int *values) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  s[t] = values[t];
  if (fixed)
    __syncthreads();
  else if (t < 128)
    __syncthreads(); // @barrier
  values[t] = s[t];
}

CASE(barrier_in_a_branch) { shift_in_branch<<<1, 256>>>(fixed, array<int>(256, 0)); }

// case two_barriers_and_one
// expect: synccheck first other
// One branch has two barriers, the other has one.
__global__ void two_or_one(bool fixed, int *values) {
  const int t = threadIdx.x;
  if (fixed) {
    __syncthreads();
  } else if (t < 128) {
    __syncthreads(); // @first
    __syncthreads();
  } else {
    __syncthreads(); // @other
  }
  values[t] = t;
}

CASE(two_barriers_and_one) { two_or_one<<<1, 256>>>(fixed, array<int>(256)); }

// case loop_of_barriers
// expect: synccheck barrier last
// Threads go round a loop with a barrier different numbers of times.
__global__ void loop_unevenly(bool fixed, int *values) {
  const int t = threadIdx.x;
  const int rounds = fixed ? 4 : t < 64 ? 3 : 4;
  for (int i = 0; i < rounds; ++i)
    __syncthreads(); // @barrier
  __syncthreads();   // @last
  values[t] = t;
}

CASE(loop_of_barriers) { loop_unevenly<<<1, 128>>>(fixed, array<int>(128)); }

// case reduction_barrier_in_the_branch
// expect: synccheck barrier last
// The barrier of the tree stands inside the branch.
__global__ void sum(bool fixed, const float *in, float *out) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (t < half) {
      s[t] += s[t + half];
      if (!fixed)
        __syncthreads(); // @barrier
    }
    if (fixed)
      __syncthreads();
  }
  __syncthreads(); // @last
  out[t] = s[0];
}

CASE(reduction_barrier_in_the_branch) {
  sum<<<1, 128>>>(fixed, array<float>(128, 0), array<float>(128));
}

// case syncwarp_mask
// expect: synccheck meet last
// The mask names all lanes, half of them come.
__global__ void syncwarp_mask_work(bool fixed, int *values) {
  const int t = threadIdx.x;
  if (t < 16)
    __syncwarp(fixed ? 0x0000ffff : ~0u); // @meet
  values[t] = t;
  __syncthreads(); // @last
}

CASE(syncwarp_mask) { syncwarp_mask_work<<<1, 32>>>(fixed, array<int>(32)); }

// case shuffle_masks
// expect: synccheck low high
// The two halves of a warp name each other in their masks, but shuffle in different places.
__global__ void shuffle_masks_work(bool fixed, int *values) {
  const int t = threadIdx.x;
  const unsigned low = fixed ? 0x0000ffff : ~0u, high = fixed ? 0xffff0000 : ~0u;
  int value = t;
  if (t < 16)
    value = __shfl_down_sync(low, value, 1, 16); // @low
  else
    value = __shfl_up_sync(high, value, 1, 16); // @high
  values[t] = value;
}

CASE(shuffle_masks) { shuffle_masks_work<<<1, 32>>>(fixed, array<int>(32)); }

// case lane_not_in_its_mask
// expect: synccheck shuffle
// Lanes call with a mask that does not name them.
__global__ void sum_of_half(bool fixed, int *values) {
  const int t = threadIdx.x;
  const unsigned mask = fixed ? 0xffffffff : 0x0000ffff;
  values[t] = __shfl_xor_sync(mask, t, 1); // @shuffle
}

CASE(lane_not_in_its_mask) { sum_of_half<<<1, 32>>>(fixed, array<int>(32)); }

// case early_return
// expect: nothing
// Threads that have returned are not waited for.
__global__ void early_return_work(bool fixed, const int *in, int *out) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  if (fixed ? t >= 200 : t == 0)
    return;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[t <= 1 ? 199 : t - 1];
}

CASE(early_return) { early_return_work<<<1, 256>>>(fixed, array<int>(256, 0), array<int>(256)); }

// case large_local_array
// expect: nothing
// A thread's own array of 32 KiB.
__global__ void use_local_array(bool fixed, int *out, int n) {
  int own[8192];
  for (int i = 0; i < n; ++i)
    own[i] = i;
  if (fixed)
    __syncthreads();
  out[threadIdx.x] = own[n - 1 - threadIdx.x];
}

CASE(large_local_array) { use_local_array<<<1, 32>>>(fixed, array<int>(32), 8192); }

// case block_skips_the_grid_barrier
// expect: synccheck sync
// Blocks without work return before the barrier of the grid, which waits for all.
__global__ void mean(bool fixed, const float *a, float *sum, float *b, int n) {
  if (!fixed && blockIdx.x * blockDim.x >= n)
    return;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(sum, a[i]);
  cooperative_groups::this_grid().sync(); // @sync
  if (i < n)
    b[i] = a[i] - *sum / n;
}

CASE(block_skips_the_grid_barrier) {
  int n = 40;
  launch(mean, 4, 32, fixed, array<float>(n, 0), array<float>(1, 0), array<float>(n), n);
}

// case first_thread_skips_the_grid_barrier
// expect: synccheck sync
// The first thread of the last block returns before the barrier of the grid.
__global__ void two_steps(bool fixed, int *a) {
  if (!fixed && blockIdx.x == 1 && threadIdx.x == 0)
    return;
  atomicAdd(&a[0], 1);
  cooperative_groups::this_grid().sync(); // @sync
  atomicAdd(&a[1], 1);
}

CASE(first_thread_skips_the_grid_barrier) { launch(two_steps, 2, 32, fixed, array<int>(2, 0)); }

// case one_thread_for_the_grid
// expect: synccheck sync
// says: not all threads of a block reach the grid barrier at
// says: 0, 0) has returned, kernel sums launched at
// One thread of each block waits for the other blocks, while the others of its block return.
__global__ void sums(bool fixed, int *partial, int *out) {
  atomicAdd(&partial[blockIdx.x], int(threadIdx.x));
  if (!fixed && threadIdx.x > 0)
    return;
  cooperative_groups::this_grid().sync(); // @sync
  if (threadIdx.x > 0)
    return;
  out[blockIdx.x] = partial[0] + partial[1];
}

CASE(one_thread_for_the_grid) {
  int *partial = array<int>(2, 0), *out = array<int>(2);
  void *arguments[] = {&fixed, &partial, &out}; // not by launch(): the report names the kernel
  cudaLaunchCooperativeKernel(sums, dim3(2), dim3(64), arguments);
}

// case two_barriers_in_a_line
// expect: synccheck barriers
// says: threads (128, 0, 0) to (255, 0, 0)
// says: , number 2
// The halves of a block wait at two barriers that one line has.
__global__ void turn_halves(bool fixed, int *values) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  // clang-format off
  s[t] = values[t]; __syncthreads(); values[t] = s[255 - t]; __syncthreads();
  if (fixed) { __syncthreads(); values[t] += t < 128; return; }
  if (t < 128) { __syncthreads(); values[t] += 1; } else { __syncthreads(); } // @barriers
  // clang-format on
}

CASE(two_barriers_in_a_line) { turn_halves<<<1, 256>>>(fixed, array<int>(256, 0)); }
