// Races in global memory, and between blocks.
#include "cases.hpp"

#include <cooperative_groups.h>

// case histogram_in_global_memory
// expect: racecheck count count
// says: give each thread an index of its own, let only one thread write, or use an atomic operation
// The same in global memory.
__global__ void histogram(bool fixed, const int *values, int *bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (fixed)
    atomicAdd(&bins[values[i]], 1);
  else
    bins[values[i]]++; // @count
}

CASE(histogram_in_global_memory) {
  histogram<<<8, 128>>>(fixed, array<int>(1024, 0), array<int>(16, 0));
}

// case counter
// expect: racecheck count count
// Every thread of the grid increments one number.
__global__ void counter_count(bool fixed, int *c) {
  if (fixed)
    atomicAdd(c, 1);
  else
    *c = *c + 1; // @count
}

CASE(counter) { counter_count<<<64, 256>>>(fixed, array<int>(1, 0)); }

// case neighbour_block
// expect: racecheck write read
// A block reads what another block of the same launch writes; no barrier orders blocks.
__global__ void neighbour_block_step(const int *in, int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + 1;
}

__global__ void both_steps(const int *in, int *out, int *sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + 1; // @write
  __syncthreads();
  sum[i] = out[i] + out[(i + blockDim.x) % (gridDim.x * blockDim.x)]; // @read
}

__global__ void add(const int *out, int *sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  sum[i] = out[i] + out[(i + blockDim.x) % (gridDim.x * blockDim.x)];
}

CASE(neighbour_block) {
  int *in = array<int>(512, 0), *out = array<int>(512), *sum = array<int>(512);
  if (fixed) {
    neighbour_block_step<<<4, 128>>>(in, out);
    add<<<4, 128>>>(out, sum);
  } else {
    both_steps<<<4, 128>>>(in, out, sum);
  }
}

// case last_block_without_fence
// expect: racecheck partial total
// The last block adds up what the others left; without a fence it need not see it.
__global__ void sum(bool fixed, const int *in, int *partial, unsigned *done, int *total) {
  __shared__ bool last;
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  if (t == 0) {
    int all = 0;
    for (int i = 0; i < 64; ++i)
      all += s[i];
    partial[blockIdx.x] = all; // @partial
    if (fixed)
      __threadfence();
    last = atomicAdd(done, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && t == 0) {
    int all = 0;
    for (unsigned i = 0; i < gridDim.x; ++i)
      all += partial[i]; // @total
    *total = all;
  }
}

CASE(last_block_without_fence) {
  sum<<<10, 64>>>(fixed, array<int>(640, 0), array<int>(10), array<unsigned>(1, 0), array<int>(1));
}

// case fences_over_two_flags
// expect: racecheck value use
// A flag hands on what a counter publishes: a thread that reads the flag sees all of it.
__global__ void relay(bool fixed, int *value, unsigned *counter, unsigned *flag, int *out) {
  if (threadIdx.x > 0)
    return;
  if (blockIdx.x < 4) {
    value[blockIdx.x] = 1; // @value
    if (fixed)
      __threadfence();
    if (atomicAdd(counter, 1u) == 3) { // the last of four has taken over what the others published
      __threadfence();
      atomicExch(flag, 1u);
    }
  }
  if (*const_cast<volatile unsigned *>(flag) == 1) {
    __threadfence();
    for (int i = 0; i < 4; ++i)
      out[blockIdx.x * 4 + i] = value[i]; // @use
  }
}

CASE(fences_over_two_flags) {
  relay<<<8, 32>>>(fixed, array<int>(4), array<unsigned>(1, 0), array<unsigned>(1, 0),
                   array<int>(32));
}

// case grid_without_barrier
// expect: racecheck write read
// The blocks of a cooperative launch need the grid's barrier, the block's is not enough.
__global__ void step_of_grid(bool fixed, int *values, int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  values[i] = i; // @write
  if (fixed)
    cooperative_groups::this_grid().sync();
  else
    __syncthreads();
  out[i] = values[(i + blockDim.x) % n]; // @read
}

CASE(grid_without_barrier) { launch(step_of_grid, 2, 64, fixed, array<int>(128), array<int>(128)); }

// case device_variable
// expect: racecheck count count
// says: device_variable_counter, a variable of 4 bytes
// A variable of the device is shared by all threads, too.
__device__ int device_variable_counter;

__global__ void device_variable_count(bool fixed) {
  if (fixed)
    atomicAdd(&device_variable_counter, 1);
  else
    device_variable_counter += 1; // @count
}

CASE(device_variable) { device_variable_count<<<4, 32>>>(fixed); }

// case bytes_of_a_word
// expect: racecheck write write
// Different bytes of one word are different memory; one byte for two threads is a race.
__global__ void mark(bool fixed, unsigned char *marks) {
  if (fixed)
    marks[threadIdx.x] = 1;
  else
    marks[threadIdx.x / 2] = 1; // @write
}

CASE(bytes_of_a_word) { mark<<<1, 64>>>(fixed, array<unsigned char>(64)); }

// case in_place_stencil
// expect: racecheck update update
// says: To read the old value, write to a second array
// An update in place: neighbours read old or new values.
__global__ void smooth(const float *in, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    out[i] = (in[i - 1] + in[i + 1]) / 2; // @update
}

CASE(in_place_stencil) {
  float *a = array<float>(1000, 0), *b = array<float>(1000, 0);
  smooth<<<4, 256>>>(a, fixed ? b : a, 1000);
}

// case compare_and_swap
// expect: racecheck read swap
// A product by compare-and-swap: the plain read at its start is confirmed by the swap; the one
// behind it is not.
__global__ void product(bool fixed, unsigned long long *all, unsigned long long *seen) {
  unsigned long long old = *all, expected;
  do {
    expected = old;
    old = atomicCAS(all, expected, expected * (threadIdx.x + 1)); // @swap
  } while (old != expected);
  if (fixed) {
    seen[threadIdx.x] = old;
  } else {
    __syncwarp();
    seen[threadIdx.x] = *all; // @read
  }
}

CASE(compare_and_swap) {
  product<<<1, 64>>>(fixed, array<unsigned long long>(1, 0), array<unsigned long long>(64));
}

// case counter_set_back
// expect: racecheck count reset
// The thread that counts last may reset the counter for the next launch; no other thread may.
__global__ void count_and_reset(bool fixed, unsigned *done) {
  if (threadIdx.x > 0)
    return;
  __threadfence();
  const bool last =
      fixed ? atomicAdd(done, 1u) == gridDim.x - 1 : atomicAdd(done, 1u) == gridDim.x / 2; // @count
  if (last)
    *done = 0; // @reset
}

CASE(counter_set_back) {
  unsigned *done = array<unsigned>(1, 0);
  for (int launch = 0; launch < 2; ++launch)
    count_and_reset<<<10, 32>>>(fixed, done);
}
