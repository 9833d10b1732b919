// Races in global memory.
#include "cases.hpp"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// case scatter
// expect: racecheck put put
// Two elements have the same target.
__global__ void scattered(bool fixed, const int *target, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    if (fixed)
      atomicMax(&out[target[i]], i);
    else
      out[target[i]] = i; // @put
  }
}

CASE(scatter) {
  int *target = array<int>(300), *out = array<int>(100, 0);
  std::vector<int> host(300);
  for (int i = 0; i < 300; ++i)
    host[i] = i % 100;
  cudaMemcpy(target, host.data(), 300 * sizeof(int), cudaMemcpyHostToDevice);
  scattered<<<3, 100>>>(fixed, target, out, 300);
}

// case running_maximum
// expect: racecheck look set
// Each thread compares with the best so far and replaces it, in two steps.
__global__ void best_of(bool fixed, const int *in, int *best) {
  const int mine = in[blockIdx.x * blockDim.x + threadIdx.x];
  if (fixed)
    atomicMax(best, mine);
  else if (mine > *best) // @look
    *best = mine;        // @set
}

CASE(running_maximum) {
  int *in = array<int>(128, 0), *best = array<int>(1, 0);
  cudaMemset(in + 70, 1, sizeof(int));
  best_of<<<2, 64>>>(fixed, in, best);
}

// case list_head
// expect: racecheck head head
// Nodes are put in front of a list without a compare-and-swap.
__global__ void pushed(bool fixed, int *head, int *next) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (fixed) {
    int seen = *static_cast<volatile int *>(head);
    while (true) {
      next[node] = seen;
      const int before = atomicCAS(head, seen, node);
      if (before == seen)
        break;
      seen = before;
    }
  } else {
    next[node] = *head;
    *head = node; // @head
  }
}

CASE(list_head) { pushed<<<2, 64>>>(fixed, array<int>(1, 0xff), array<int>(128)); }

// case message
// expect: racecheck value received
// A block publishes a value by a volatile flag, and no fence.
__global__ void sent(bool fixed, int *value, volatile int *flag, int *out) {
  if (blockIdx.x == 0) {
    *value = 42; // @value
    if (fixed)
      __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0)
      ;
    __threadfence();
    *out = *value; // @received
  }
}

CASE(message) { launch(sent, 2, 1, fixed, array<int>(1), array<int>(1, 0), array<int>(1)); }

// case queue
// expect: racecheck item taken
// Items are counted before they are there.
__global__ void filled(bool fixed, int *items, int *count, int *out) {
  if (blockIdx.x == 0) {
    for (int i = 0; i < 8; ++i) {
      if (!fixed)
        atomicAdd(count, 1);
      items[i] = i; // @item
      if (fixed) {
        __threadfence();
        atomicAdd(count, 1);
      }
    }
  } else {
    for (int i = 0; i < 8; ++i) {
      while (atomicAdd(count, 0) <= i)
        ;
      __threadfence();
      out[i] = items[i]; // @taken
    }
  }
}

CASE(queue) { launch(filled, 2, 1, fixed, array<int>(8, 0), array<int>(1, 0), array<int>(8)); }

// case transpose_in_place
// expect: racecheck load store
// Both threads of a pair of elements exchange it.
__global__ void swapped(bool fixed, int *a) {
  const int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (fixed ? x < y : x != y) {
    const int upper = a[y * 16 + x], lower = a[x * 16 + y]; // @load
    a[y * 16 + x] = lower;                                  // @store
    a[x * 16 + y] = upper;
  }
}

CASE(transpose_in_place) { swapped<<<dim3(2, 2), dim3(8, 8)>>>(fixed, array<int>(256, 0)); }

// case row_sums
// expect: racecheck add add
// Each thread has a column, and adds it to the row's sum.
__global__ void rows(bool fixed, const float *a, float *sum) {
  const float value = a[blockIdx.x * 64 + threadIdx.x];
  if (fixed)
    atomicAdd(&sum[blockIdx.x], value);
  else
    sum[blockIdx.x] += value; // @add
}

CASE(row_sums) { rows<<<4, 64>>>(fixed, array<float>(256, 0), array<float>(4, 0)); }

// case overlapping_pairs
// expect: racecheck first second
// Thread i writes elements i and i + 1.
struct Pair {
  int first, second;
};

__global__ void pairs(bool fixed, int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  reinterpret_cast<Pair *>(out + (fixed ? 2 : 1) * i)->first = i;      // @first
  reinterpret_cast<Pair *>(out + (fixed ? 2 : 1) * i)->second = i + 1; // @second
}

CASE(overlapping_pairs) { pairs<<<2, 64>>>(fixed, array<int>(256)); }

// case grid_sum
// expect: racecheck partial total
// All blocks run at once; that does not mean that they are in step.
__global__ void all_blocks(bool fixed, int *partial, int *out) {
  const auto grid = cg::this_grid();
  if (threadIdx.x == 0)
    partial[blockIdx.x] = blockIdx.x; // @partial
  if (fixed)
    grid.sync();
  else
    __syncthreads();
  if (grid.thread_rank() < 32) {
    int sum = 0;
    for (unsigned i = 0; i < gridDim.x; ++i)
      sum += partial[i]; // @total
    out[threadIdx.x] = sum;
  }
}

CASE(grid_sum) { launch(all_blocks, 6, 32, fixed, array<int>(6, 0), array<int>(32)); }

// case grid_steps
// expect: racecheck right write
// Time steps in one array, with one barrier of the grid for each.
__global__ void steps(bool fixed, float *a, float *b) {
  const auto grid = cg::this_grid();
  const int i = 1 + grid.thread_rank();
  float *from = a, *to = fixed ? b : a;
  for (int step = 0; step < 2; ++step) {
    float sum = from[i - 1];
    sum += from[i + 1]; // @right
    to[i] = sum / 2;    // @write
    grid.sync();
    float *last = from;
    from = to;
    to = last;
  }
}

CASE(grid_steps) { launch(steps, 4, 32, fixed, array<float>(130, 0), array<float>(130, 0)); }

// case plain_counter
// expect: racecheck count count
// expect: racecheck partial total
// The block that counts itself as the last finishes; the count is no atomic operation.
__global__ void last_block(bool fixed, int *partial, unsigned *done, int *out) {
  partial[blockIdx.x] = 1; // @partial
  __threadfence();
  unsigned before;
  if (fixed) {
    before = atomicAdd(done, 1);
  } else {
    before = (*done)++; // @count
  }
  if (before == gridDim.x - 1) {
    __threadfence();
    int sum = 0;
    for (unsigned i = 0; i < gridDim.x; ++i)
      sum += partial[i]; // @total
    *out = sum;
  }
}

CASE(plain_counter) {
  last_block<<<5, 1>>>(fixed, array<int>(5), array<unsigned>(1, 0), array<int>(1));
}

// case neighbour_flags
// expect: racecheck mark near
// A cell changes or not, depending on its neighbour's mark of the same step.
__device__ unsigned char marked[128];

__global__ void marks(bool fixed, const int *in) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (fixed ? in[i] == 0 : i == 0 || marked[i - 1] == 0) // @near
    marked[i] = 1;                                       // @mark
}

CASE(neighbour_flags) { marks<<<2, 64>>>(fixed, array<int>(128, 0)); }
