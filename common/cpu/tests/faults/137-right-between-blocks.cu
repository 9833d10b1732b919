// Right programs that do what faulty ones look like: between blocks, kernels and the host.
#include "cases.hpp"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// case look_back
// expect: nothing
// A scan in one pass: each block adds up the sums of those before it, as far as they are there.
struct Status {
  int sum, inclusive;
  int state; // 0: nothing, 1: the sum, 2: also the sum of all blocks before
};

__device__ int ticket;

__global__ void single_pass(const int *in, int *out, Status *status) {
  __shared__ int tile, before, s[64];
  const int t = threadIdx.x;
  if (t == 0)
    tile = atomicAdd(&ticket, 1);
  __syncthreads();
  s[t] = in[64 * tile + t];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    const int other = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += other;
    __syncthreads();
  }
  if (t == 63) {
    Status &mine = status[tile];
    mine.sum = s[63];
    __threadfence();
    atomicExch(&mine.state, 1);
    int sum = 0;
    for (int i = tile - 1; i >= 0; --i) {
      int state;
      while ((state = *static_cast<volatile int *>(&status[i].state)) == 0)
        ;
      __threadfence();
      if (state == 2) {
        sum += status[i].inclusive;
        break;
      }
      sum += status[i].sum;
    }
    before = sum;
    mine.inclusive = sum + s[63];
    __threadfence();
    *static_cast<volatile int *>(&mine.state) = 2;
  }
  __syncthreads();
  out[64 * tile + t] = before + s[t];
}

CASE(look_back) {
  single_pass<<<10, 64>>>(array<int>(640, 0), array<int>(640), array<Status>(10, 0));
}

// case cooperative_sum
// expect: nothing
// A tree over all blocks, with the grid's barrier between its levels.
__global__ void grid_tree(int *a, int n) {
  const auto grid = cg::this_grid();
  for (int half = n / 2; half > 0; half /= 2) {
    for (int i = grid.thread_rank(); i < half; i += grid.size())
      a[i] += a[i + half];
    grid.sync();
  }
}

CASE(cooperative_sum) { launch(grid_tree, 4, 32, array<int>(512, 0), 512); }

// case managed_list
// expect: nothing
// The host builds a list in managed memory, a kernel changes it, the host reads it.
struct Node {
  int value;
  Node *next;
};

__global__ void doubled(Node *head) {
  for (Node *node = head; node != nullptr; node = node->next)
    node->value *= 2;
}

CASE(managed_list) {
  Node *head = nullptr;
  for (int i = 0; i < 5; ++i) {
    Node *node = managed<Node>(1);
    node->value = i;
    node->next = head;
    head = node;
  }
  doubled<<<1, 1>>>(head);
  cudaDeviceSynchronize();
  int sum = 0;
  for (const Node *node = head; node != nullptr; node = node->next)
    sum += node->value;
  if (sum != 20)
    std::printf("sum %d\n", sum);
}

// case grid_barrier_by_hand
// expect: nothing
// A barrier of all blocks from a counter and a flag that is read with volatile.
__global__ void by_hand(int *arrived, volatile int *open, int *values, int *out) {
  const int t = threadIdx.x;
  values[32 * blockIdx.x + t] = t;
  __threadfence();
  __syncthreads();
  if (t == 0) {
    if (atomicAdd(arrived, 1) == int(gridDim.x) - 1)
      *open = 1;
    else
      while (*open == 0)
        ;
    __threadfence();
  }
  __syncthreads();
  const int other = (blockIdx.x + 1) % gridDim.x;
  out[32 * blockIdx.x + t] = values[32 * other + t];
}

CASE(grid_barrier_by_hand) {
  launch(by_hand, 4, 32, array<int>(1, 0), array<int>(1, 0), array<int>(128), array<int>(128));
}

// case grid_barrier_of_generations
// expect: nothing
// The same for many steps: the last to come sets the counter back and opens the next generation.
__device__ void all_blocks(unsigned *count, volatile unsigned *generation) {
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned mine = *generation;
    __threadfence();
    if (atomicAdd(count, 1) == gridDim.x - 1) {
      *count = 0;
      __threadfence();
      *generation = mine + 1;
    } else {
      while (*generation == mine)
        ;
    }
    __threadfence();
  }
  __syncthreads();
}

__global__ void generations(unsigned *count, unsigned *generation, float *a, float *b) {
  const int i = 1 + blockIdx.x * 32 + threadIdx.x;
  for (int step = 0; step < 3; ++step) {
    b[i] = (a[i - 1] + a[i + 1]) / 2;
    all_blocks(count, generation);
    a[i] = (b[i - 1] + b[i + 1]) / 2;
    all_blocks(count, generation);
  }
}

CASE(grid_barrier_of_generations) {
  launch(generations, 3, 32, array<unsigned>(1, 0), array<unsigned>(1, 0), array<float>(98, 0),
         array<float>(98, 0));
}

// case host_polls
// expect: nothing
// The host waits for a flag in mapped memory, and then reads what the kernel wrote before it.
__global__ void answers(int *value, volatile int *flag) {
  *value = 42;
  __threadfence_system();
  *flag = 1;
}

CASE(host_polls) {
  int *mapped = nullptr, *on_device = nullptr;
  cudaHostAlloc(&mapped, 2 * sizeof(int), cudaHostAllocMapped);
  mapped[0] = mapped[1] = 0;
  cudaHostGetDevicePointer(&on_device, mapped, 0);
  answers<<<1, 1>>>(on_device, on_device + 1);
  while (*static_cast<volatile int *>(mapped + 1) == 0)
    cudaStreamQuery(nullptr);
  const int value = *static_cast<volatile int *>(mapped);
  if (value != 42)
    std::printf("value %d\n", value);
  cudaDeviceSynchronize();
  cudaFreeHost(mapped);
}

// case host_counts_progress
// expect: nothing
// The host shows how far a kernel is, and then waits for it.
__global__ void progresses(int *done) {
  if (threadIdx.x == 0) {
    __threadfence_system();
    atomicAdd_system(done, 1);
  }
}

CASE(host_counts_progress) {
  int *done = pinned<int>(1);
  *done = 0;
  progresses<<<20, 32>>>(done);
  volatile int *seen = done;
  while (*seen < 10)
    cudaStreamQuery(nullptr);
  cudaDeviceSynchronize();
  if (*done != 20)
    std::printf("done %d\n", *done);
}

// case float_maximum
// expect: nothing
// A compare-and-swap loop that begins with a plain read and is left by break.
__global__ void float_max(const float *in, float *most) {
  const float mine = in[blockIdx.x * 64 + threadIdx.x] + threadIdx.x;
  auto *bits = reinterpret_cast<unsigned *>(most);
  unsigned old = *bits;
  while (true) {
    if (__uint_as_float(old) >= mine)
      break;
    const unsigned seen = atomicCAS(bits, old, __float_as_uint(mine));
    if (seen == old)
      break;
    old = seen;
  }
}

CASE(float_maximum) { float_max<<<2, 64>>>(array<float>(128, 0), array<float>(1, 0)); }

// case product_by_compare_and_swap
// expect: nothing
// The form of the Programming Guide: repeated until nobody came between.
__global__ void product(const float *in, float *out) {
  auto *bits = reinterpret_cast<int *>(out);
  int old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __float_as_int(__int_as_float(assumed) * in[threadIdx.x]));
  } while (assumed != old);
}

CASE(product_by_compare_and_swap) { product<<<3, 64>>>(array<float>(64, 0), array<float>(1, 0)); }

// case stack_of_nodes
// expect: nothing
// One kernel pushes nodes onto a stack by compare-and-swap, the next one walks it.
__global__ void push(int *head, int *next) {
  const int node = blockIdx.x * 32 + threadIdx.x;
  int old = atomicAdd(head, 0), assumed;
  do {
    assumed = old;
    next[node] = assumed;
    old = atomicCAS(head, assumed, node);
  } while (old != assumed);
}

__global__ void walk(const int *head, const int *next, int *length) {
  int count = 0;
  for (int node = *head; node >= 0; node = next[node])
    ++count;
  *length = count;
}

CASE(stack_of_nodes) {
  int *head = array<int>(1, 0xff), *next = array<int>(96), *length = array<int>(1);
  push<<<3, 32>>>(head, next);
  walk<<<1, 1>>>(head, next, length);
}

// case spin_lock
// expect: nothing
// A lock with fences guards a sum that is no atomic variable.
__global__ void locked(int *lock, int *sum) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0)
      ;
    __threadfence();
    *sum += blockIdx.x;
    __threadfence();
    atomicExch(lock, 0);
  }
}

CASE(spin_lock) { locked<<<6, 32>>>(array<int>(1, 0), array<int>(1, 0)); }

// case ring
// expect: nothing
// Blocks pass values in a ring; full and empty slots are told by a counter for each.
__global__ void passed_on(int *slots, unsigned *full, int *out) {
  const int n = 3, rounds = 4, me = blockIdx.x;
  for (int round = 0; round < rounds; ++round) {
    if (me == 0) {
      while (atomicAdd(full, 0) >= unsigned(n))
        ;
      __threadfence();
      slots[round % n] = round;
      __threadfence();
      atomicAdd(full, 1);
    } else {
      while (atomicAdd(full, 0) == 0)
        ;
      __threadfence();
      out[round] = slots[round % n];
      __threadfence();
      atomicSub(full, 1);
    }
  }
}

CASE(ring) { launch(passed_on, 2, 1, array<int>(3), array<unsigned>(1, 0), array<int>(4)); }

// case union_find
// expect: nothing
// Sets are joined by compare-and-swap; their roots are looked for by volatile reads.
__device__ int root(volatile int *parent, int i) {
  while (parent[i] != i)
    i = parent[i];
  return i;
}

__global__ void joined(const int *from, const int *to, int *parent, int edges) {
  const int e = blockIdx.x * 32 + threadIdx.x;
  if (e >= edges)
    return;
  while (true) {
    const int a = root(parent, from[e]), b = root(parent, to[e]);
    if (a == b)
      break;
    if (atomicCAS(&parent[max(a, b)], max(a, b), min(a, b)) == max(a, b))
      break;
  }
}

CASE(union_find) {
  int *from = array<int>(60), *to = array<int>(60), *parent = array<int>(64);
  std::vector<int> a(60), b(60), own(64);
  for (int i = 0; i < 64; ++i)
    own[i] = i;
  for (int i = 0; i < 60; ++i)
    a[i] = i, b[i] = (7 * i + 3) % 64;
  cudaMemcpy(from, a.data(), 60 * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(to, b.data(), 60 * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(parent, own.data(), 64 * sizeof(int), cudaMemcpyHostToDevice);
  joined<<<2, 32>>>(from, to, parent, 60);
}

// case breadth_first
// expect: nothing
// Two queues change places from level to level; an atomic exchange decides who visits a node.
__global__ void level(const int *queue, const int *size, int *next, int *next_size, int *visited,
                      int nodes) {
  for (int i = threadIdx.x; i < *size; i += blockDim.x)
    for (int child = 2 * queue[i] + 1; child <= 2 * queue[i] + 3; ++child)
      if (child < nodes && atomicExch(&visited[child], 1) == 0)
        next[atomicAdd(next_size, 1)] = child;
}

CASE(breadth_first) {
  const int nodes = 200, one = 1;
  int *queue[2] = {array<int>(nodes, 0), array<int>(nodes, 0)};
  int *size[2] = {array<int>(1), array<int>(1, 0)}, *visited = array<int>(nodes, 0);
  cudaMemcpy(size[0], &one, sizeof one, cudaMemcpyHostToDevice);
  for (int step = 0; step < 6; ++step) {
    level<<<1, 64>>>(queue[step % 2], size[step % 2], queue[(step + 1) % 2], size[(step + 1) % 2],
                     visited, nodes);
    cudaMemset(size[step % 2], 0, sizeof(int));
  }
}

// case wrapping_counter
// expect: nothing
// The counter of the last block wraps by itself, so a second launch finds it at 0.
__global__ void dot(const float *a, const float *b, float *partial, unsigned *done, float *out) {
  __shared__ float s[64];
  __shared__ bool last;
  const int t = threadIdx.x;
  s[t] = a[blockIdx.x * 64 + t] * b[blockIdx.x * 64 + t];
  for (int half = 32; half > 0; half /= 2) {
    __syncthreads();
    if (t < half)
      s[t] += s[t + half];
  }
  if (t == 0) {
    partial[blockIdx.x] = s[0];
    __threadfence();
    last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && t == 0) {
    __threadfence();
    float sum = 0;
    for (unsigned i = 0; i < gridDim.x; ++i)
      sum += partial[i];
    *out = sum;
  }
}

CASE(wrapping_counter) {
  float *a = array<float>(256, 0), *b = array<float>(256, 0), *partial = array<float>(4),
        *out = array<float>(1);
  unsigned *done = array<unsigned>(1, 0);
  for (int i = 0; i < 2; ++i)
    dot<<<4, 64>>>(a, b, partial, done, out);
}
