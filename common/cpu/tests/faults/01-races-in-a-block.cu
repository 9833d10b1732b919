// Races between the threads of a block, in shared memory.
#include "cases.hpp"

// case reads_lower_slot
// expect: racecheck store load
// A barrier is missing; in ascending order of threads the result is right by luck.
__global__ void shift_up(bool fixed, int *out) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  s[t] = t; // @store
  if (fixed)
    __syncthreads();
  out[t] = t > 0 ? s[t - 1] : 0; // @load
}

CASE(reads_lower_slot) { shift_up<<<1, 256>>>(fixed, array<int>(256)); }

// case reads_higher_slot
// expect: racecheck store load
// A barrier is missing; in ascending order the race looks like a read of what nobody wrote.
__global__ void shift_down(bool fixed, int *out) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  s[t] = t; // @store
  if (fixed)
    __syncthreads();
  out[t] = t < 255 ? s[t + 1] : 0; // @load
}

CASE(reads_higher_slot) { shift_down<<<1, 256>>>(fixed, array<int>(256)); }

// case reduction_after_load
// expect: racecheck load add
// The tree starts before the values are there.
__global__ void sum_at_once(bool fixed, const float *in, float *out) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  s[t] = in[t]; // @load
  if (fixed)
    __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (t < half)
      s[t] += s[t + half]; // @add
    __syncthreads();
  }
  if (t == 0)
    *out = s[0];
}

CASE(reduction_after_load) {
  sum_at_once<<<1, 128>>>(fixed, array<float>(128, 0), array<float>(1));
}

// case reduction_in_the_tree
// expect: racecheck add add
// says: a __syncthreads is missing between them
// The steps of the tree are not kept apart.
__global__ void sum_in_steps(bool fixed, const float *in, float *out) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int half = 1; half < 256; half *= 2) {
    if (t % (2 * half) == 0)
      s[t] += s[t + half]; // @add
    if (fixed)
      __syncthreads();
  }
  if (t == 255)
    *out = s[0];
}

CASE(reduction_in_the_tree) {
  sum_in_steps<<<1, 256>>>(fixed, array<float>(256, 0), array<float>(1));
}

// case last_warp
// expect: racecheck add add
// The last warp goes on without __syncwarp: its lanes need not run in step.
__global__ void sum_of_warp(bool fixed, const float *in, float *out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 32)
    for (int half = 32; half > 0; half /= 2) {
      const float other = s[t + half]; // @add
      if (fixed)
        __syncwarp();
      s[t] += other; // @add
      if (fixed)
        __syncwarp();
    }
  if (t == 0)
    *out = s[0];
}

CASE(last_warp) { sum_of_warp<<<1, 64>>>(fixed, array<float>(64, 0), array<float>(1)); }

// case last_warp_volatile
// expect: racecheck add add
// volatile does not order the lanes of a warp, though it did before Volta.
__global__ void sum_of_volatile(bool fixed, const float *in, float *out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 32) {
    if (fixed) {
      float mine = s[t] + s[t + 32];
      for (int half = 16; half > 0; half /= 2)
        mine += __shfl_down_sync(0xffffffff, mine, half);
      if (t == 0)
        *out = mine;
    } else {
      volatile float *v = s;
      for (int half = 32; half > 0; half /= 2)
        v[t] = v[t] + v[t + half]; // @add
      if (t == 0)
        *out = s[0];
    }
  }
}

CASE(last_warp_volatile) {
  sum_of_volatile<<<1, 64>>>(fixed, array<float>(64, 0), array<float>(1));
}

// case tile_first_barrier
// expect: racecheck store use
// A tile is used before its block has loaded it.
constexpr int tile = 8, n = 24;

__global__ void multiply_at_once(bool fixed, const float *a, const float *b, float *c) {
  __shared__ float s[tile][tile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * tile + y, column = blockIdx.x * tile + x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    s[y][x] = a[row * n + k + x]; // @store
    if (fixed)
      __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum += s[y][i] * b[(k + i) * n + column]; // @use
    __syncthreads();
  }
  c[row * n + column] = sum;
}

CASE(tile_first_barrier) {
  float *a = array<float>(n * n, 0), *b = array<float>(n * n, 0), *c = array<float>(n * n);
  multiply_at_once<<<dim3(3, 3), dim3(tile, tile)>>>(fixed, a, b, c);
}

// case tile_second_barrier
// expect: racecheck store use
// A tile is overwritten while other threads still use it.
__global__ void multiply_and_overwrite(bool fixed, const float *a, const float *b, float *c) {
  __shared__ float s[tile][tile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * tile + y, column = blockIdx.x * tile + x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    s[y][x] = a[row * n + k + x]; // @store
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum += s[y][i] * b[(k + i) * n + column]; // @use
    if (fixed)
      __syncthreads();
  }
  c[row * n + column] = sum;
}

CASE(tile_second_barrier) {
  float *a = array<float>(n * n, 0), *b = array<float>(n * n, 0), *c = array<float>(n * n);
  multiply_and_overwrite<<<dim3(3, 3), dim3(tile, tile)>>>(fixed, a, b, c);
}

// case histogram_in_shared_memory
// expect: racecheck count count
// says: give each thread an index of its own, let only one thread write, or use an atomic operation
// Two threads increment one bin at once: ++ is a load and a store.
__global__ void count_without_atomics(bool fixed, const int *values, int *bins) {
  __shared__ int counts[16];
  const int t = threadIdx.x;
  if (t < 16)
    counts[t] = 0;
  __syncthreads();
  if (fixed)
    atomicAdd(&counts[values[t]], 1);
  else
    counts[values[t]]++; // @count
  __syncthreads();
  if (t < 16)
    atomicAdd(&bins[t], counts[t]);
}

CASE(histogram_in_shared_memory) {
  count_without_atomics<<<2, 256>>>(fixed, array<int>(256, 0), array<int>(16, 0));
}

// case histogram_zero
// expect: racecheck zero count
// Some threads count before others have set the bins to zero.
__global__ void count_before_zero(bool fixed, const int *values, int *bins) {
  __shared__ int counts[16];
  const int t = threadIdx.x;
  if (t < 16)
    counts[t] = 0; // @zero
  if (fixed)
    __syncthreads();
  atomicAdd(&counts[values[t]], 1); // @count
  __syncthreads();
  if (t < 16)
    atomicAdd(&bins[t], counts[t]);
}

CASE(histogram_zero) {
  count_before_zero<<<2, 256>>>(fixed, array<int>(256, 0), array<int>(16, 0));
}

// case histogram_flush
// expect: racecheck count flush
// Some threads flush bins while others still count.
__global__ void count_after_flush(bool fixed, const int *values, int *bins) {
  __shared__ int counts[16];
  const int t = threadIdx.x;
  if (t < 16)
    counts[t] = 0;
  __syncthreads();
  atomicAdd(&counts[values[t]], 1); // @count
  if (fixed)
    __syncthreads();
  if (t < 16)
    atomicAdd(&bins[t], counts[t]); // @flush
}

CASE(histogram_flush) {
  count_after_flush<<<2, 256>>>(fixed, array<int>(256, 0), array<int>(16, 0));
}

// case scan_in_one_buffer
// expect: racecheck read write
// A Hillis-Steele scan in one buffer: some threads read what others have changed already.
__global__ void scan(bool fixed, int *values) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = values[t];
  __syncthreads();
  for (int distance = 1; distance < 128; distance *= 2) {
    const int left = t >= distance ? s[t - distance] : 0; // @read
    if (fixed)
      __syncthreads();
    s[t] += left; // @write
    __syncthreads();
  }
  values[t] = s[t];
}

CASE(scan_in_one_buffer) { scan<<<1, 128>>>(fixed, array<int>(128, 0)); }

// case atomic_and_plain
// expect: racecheck atomic plain
// A plain read races with the atomics of other threads.
__global__ void count(bool fixed, int *c, int *seen) {
  atomicAdd(c, 1); // @atomic
  if (fixed)
    seen[threadIdx.x] = atomicAdd(c, 0);
  else
    seen[threadIdx.x] = *c; // @plain
}

CASE(atomic_and_plain) { count<<<1, 64>>>(fixed, array<int>(1, 0), array<int>(64)); }
