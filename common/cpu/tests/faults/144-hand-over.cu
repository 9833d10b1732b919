// A value handed over by a flag: with acquire and release, with fences, and with scopes that are
// too small.
#include "cases.hpp"

#include <cuda/atomic>

template <cuda::thread_scope scope> using Flag = cuda::atomic_ref<int, scope>;

// case scope_of_an_atomic
// expect: racecheck value received
// expect: racecheck set look
// says: An atomic of block scope is atomic only within one block
// A flag of thread_scope_block hands nothing over to another block.
template <cuda::thread_scope scope> __device__ void hand_over(int *value, int *flag, int *out) {
  Flag<scope> ready(*flag);
  if (blockIdx.x == 0) {
    *value = 42;                                // @value
    ready.store(1, cuda::memory_order_release); // @set
  } else {
    while (ready.load(cuda::memory_order_acquire) == 0) // @look
      ;
    *out = *value; // @received
  }
}

__global__ void between_blocks(bool fixed, int *value, int *flag, int *out) {
  if (fixed)
    hand_over<cuda::thread_scope_device>(value, flag, out);
  else
    hand_over<cuda::thread_scope_block>(value, flag, out);
}

CASE(scope_of_an_atomic) {
  launch(between_blocks, 2, 1, fixed, array<int>(1), array<int>(1, 0), array<int>(1));
}

// case scope_of_a_fence
// expect: racecheck value received
// Here the flag's scope is right, and the fence's too small.
__global__ void by_a_fence(bool fixed, int *value, int *flag, int *out) {
  Flag<cuda::thread_scope_device> ready(*flag);
  if (blockIdx.x == 0) {
    *value = 42; // @value
    if (fixed)
      cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
    else
      cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_block);
    ready.store(1, cuda::memory_order_relaxed);
  } else {
    while (ready.load(cuda::memory_order_relaxed) == 0)
      ;
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
    *out = *value; // @received
  }
}

CASE(scope_of_a_fence) {
  launch(by_a_fence, 2, 1, fixed, array<int>(1), array<int>(1, 0), array<int>(1));
}

// case scope_of_a_built_in
// expect: racecheck value received
// expect: racecheck set look
// The compiler's own functions, with the scope as an argument.
__global__ void built_in(bool fixed, int *value, int *flag, int *out) {
  const int scope = fixed ? __NV_THREAD_SCOPE_DEVICE : __NV_THREAD_SCOPE_BLOCK;
  if (blockIdx.x == 0) {
    *value = 42;                                              // @value
    __nv_atomic_store_n(flag, 1, __NV_ATOMIC_RELEASE, scope); // @set
  } else {
    while (__nv_atomic_load_n(flag, __NV_ATOMIC_ACQUIRE, scope) == 0) // @look
      ;
    *out = *value; // @received
  }
}

CASE(scope_of_a_built_in) {
  launch(built_in, 2, 1, fixed, array<int>(1), array<int>(1, 0), array<int>(1));
}

// case relaxed
// expect: racecheck value received
// A relaxed flag orders nothing but itself.
__global__ void in_order(bool fixed, int *value, int *flag, int *out) {
  Flag<cuda::thread_scope_device> ready(*flag);
  if (blockIdx.x == 0) {
    *value = 42; // @value
    ready.store(1, fixed ? cuda::memory_order_release : cuda::memory_order_relaxed);
  } else {
    while (ready.load(cuda::memory_order_acquire) == 0)
      ;
    *out = *value; // @received
  }
}

CASE(relaxed) { launch(in_order, 2, 1, fixed, array<int>(1), array<int>(1, 0), array<int>(1)); }

// case one_lane_for_its_warp
// expect: racecheck value received
// The first lane hands over what its warp has written, after the lanes have met.
__global__ void for_a_warp(bool fixed, int *values, int *flag, int *out) {
  Flag<cuda::thread_scope_device> ready(*flag);
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    values[t] = t; // @value
    if (fixed)
      __syncwarp();
    if (t == 0)
      ready.store(1, cuda::memory_order_release);
  } else {
    if (t == 0)
      while (ready.load(cuda::memory_order_acquire) == 0)
        ;
    __syncwarp();
    out[t] = values[t]; // @received
  }
}

CASE(one_lane_for_its_warp) {
  launch(for_a_warp, 2, 32, fixed, array<int>(32), array<int>(1, 0), array<int>(32));
}

// case half_of_the_warp
// expect: racecheck value received
// Only the lanes that met are covered.
__global__ void for_a_half(bool fixed, int *values, volatile int *flag, int *out) {
  const int t = threadIdx.x;
  if (t < 32) {
    values[t] = t; // @value
    __syncwarp(fixed ? ~0u : t < 16 ? 0xffff : 0xffff0000);
    __threadfence_block();
    if (t == 0)
      *flag = 1;
  } else {
    if (t == 32)
      while (*flag == 0)
        ;
    __threadfence_block();
    __syncwarp();
    out[t - 32] = values[t - 32]; // @received
  }
}

CASE(half_of_the_warp) {
  for_a_half<<<1, 64>>>(fixed, array<int>(32), array<int>(1, 0), array<int>(32));
}

// case fences_of_all_lanes
// expect: nothing
// Each lane has a fence of its own, then the lanes meet, then one of them sets the flag.
__global__ void each_fences(int *values, volatile int *flag, int *out) {
  const int t = threadIdx.x;
  if (t < 32) {
    values[t] = t;
    __threadfence_block();
    __syncwarp();
    if (t == 0)
      *flag = 1;
  } else {
    if (t == 32)
      while (*flag == 0)
        ;
    __threadfence_block();
    __syncwarp();
    out[t - 32] = values[t - 32];
  }
}

CASE(fences_of_all_lanes) {
  each_fences<<<1, 64>>>(array<int>(32), array<int>(1, 0), array<int>(32));
}

// case volatile_flag_of_a_block
// expect: racecheck value received
// expect: racecheck set look
// A volatile flag in shared memory: without a fence before it, it orders nothing.
__global__ void in_a_block(bool fixed, int *out) {
  __shared__ volatile int ready;
  __shared__ int value;
  if (threadIdx.x == 0)
    ready = 0;
  __syncthreads();
  if (threadIdx.x == 32) {
    value = 42; // @value
    if (fixed)
      __threadfence_block();
    ready = 1; // @set
  } else if (threadIdx.x == 0) {
    while (ready == 0) // @look
      ;
    __threadfence_block();
    *out = value; // @received
  }
}

CASE(volatile_flag_of_a_block) { in_a_block<<<1, 64>>>(fixed, array<int>(1)); }

// case turns
// expect: nothing
// Warps take turns at a sum.
__global__ void one_after_the_other(int *out) {
  __shared__ volatile int turn;
  __shared__ int sum;
  if (threadIdx.x == 0)
    turn = sum = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    const int mine = threadIdx.x / 32;
    while (turn != mine)
      ;
    __threadfence_block();
    sum += mine;
    __threadfence_block();
    turn = mine + 1;
  }
  __syncthreads();
  if (threadIdx.x == 0)
    *out = sum;
}

CASE(turns) { one_after_the_other<<<1, 128>>>(array<int>(1)); }

// case block_scope_in_a_block
// expect: nothing
// Within a block the small scope is enough; the flag is an object in shared memory.
__global__ void of_the_block(int *out) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> ready;
  __shared__ int value;
  if (threadIdx.x == 0)
    ready = 0;
  __syncthreads();
  if (threadIdx.x == 32) {
    value = 42;
    ready.store(1, cuda::memory_order_release);
  } else if (threadIdx.x == 0) {
    ready.wait(0, cuda::memory_order_acquire);
    *out = value;
  }
}

CASE(block_scope_in_a_block) { of_the_block<<<1, 64>>>(array<int>(1)); }

// case slots
// expect: nothing
// Two blocks share two slots: one counter tells how many are full, the other how many are free.
__global__ void through_slots(int *slots, int *counters, int *out) {
  Flag<cuda::thread_scope_device> full(counters[0]), done(counters[1]);
  int sum = 0;
  for (int i = 0; i < 6; ++i)
    if (blockIdx.x == 0) {
      while (i - done.load(cuda::memory_order_acquire) >= 2)
        ;
      slots[i % 2] = i;
      full.store(i + 1, cuda::memory_order_release);
    } else {
      while (full.load(cuda::memory_order_acquire) <= i)
        ;
      sum += slots[i % 2];
      done.fetch_add(1, cuda::memory_order_release);
    }
  if (blockIdx.x == 1)
    *out = sum;
}

CASE(slots) { launch(through_slots, 2, 1, array<int>(2), array<int>(2, 0), array<int>(1)); }

// case lock
// expect: nothing
// A lock by compare-and-swap and a release guards a sum, in blocks that come in any order.
__global__ void locked(cuda::atomic<int, cuda::thread_scope_device> *lock, int *sum) {
  if (threadIdx.x == 0) {
    int free = 0;
    while (!lock->compare_exchange_weak(free, 1, cuda::memory_order_acquire,
                                        cuda::memory_order_relaxed))
      free = 0;
    *sum += 1;
    lock->store(0, cuda::memory_order_release);
  }
}

CASE(lock) {
  using Lock = cuda::atomic<int, cuda::thread_scope_device>;
  locked<<<6, 32>>>(reinterpret_cast<Lock *>(array<int>(1, 0)), array<int>(1, 0));
}

// case last_block
// expect: nothing
// The last block to come adds up what the threads of all blocks wrote.
__global__ void counted(int *values, int *count, int *out) {
  __shared__ bool last;
  values[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0)
    last = Flag<cuda::thread_scope_device>(*count).fetch_add(1, cuda::memory_order_acq_rel) ==
           int(gridDim.x) - 1;
  __syncthreads();
  for (unsigned block = 0; last && block < gridDim.x; ++block)
    atomicAdd(out, values[block * 64 + threadIdx.x]);
}

CASE(last_block) { counted<<<4, 64>>>(array<int>(256), array<int>(1, 0), array<int>(1, 0)); }
