// Atomics at wrong addresses, launches above __launch_bounds__, symbols that are none, streams and
// events that nobody destroys, accesses that land in another array or in a stack of before.
#include "cases.hpp"

#include <cuda/atomic>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

// case atomic_in_bytes
// expect: memcheck add
// says: misaligned access to a number of 4 bytes
__global__ void add(char *bytes) {
  atomicAdd(reinterpret_cast<int *>(bytes), 1); // @add
}
CASE(atomic_in_bytes) { add<<<1, 4>>>(array<char>(64, 0) + (fixed ? 4 : 1)); }

// case compare_and_swap
// expect: memcheck swap
// says: misaligned access to a number of 8 bytes
__global__ void swap(int *values) {
  atomicCAS(reinterpret_cast<unsigned long long *>(values), 0ull, 1ull); // @swap
}
CASE(compare_and_swap) { swap<<<1, 4>>>(array<int>(8, 0) + (fixed ? 2 : 1)); }

// case sum_of_doubles
// expect: memcheck sum
__global__ void sum(float *values) {
  atomicAdd(reinterpret_cast<double *>(values), 1.0); // @sum
}
CASE(sum_of_doubles) { sum<<<1, 4>>>(array<float>(8, 0) + (fixed ? 2 : 1)); }

// case exchange_and_maximum_in_shared_memory
// expect: memcheck max
__global__ void shared_max(int offset, int *out) {
  __shared__ __align__(8) char bytes[64];
  bytes[threadIdx.x] = 0;
  __syncthreads();
  atomicMax(reinterpret_cast<int *>(bytes + offset), 7); // @max
  __syncthreads();
  out[threadIdx.x] = bytes[threadIdx.x];
}
CASE(exchange_and_maximum_in_shared_memory) {
  shared_max<<<1, 64>>>(fixed ? 4 : 3, array<int>(64));
}

// case two_halves
// expect: memcheck pair
__global__ void pairs(const __half *in, __half2 *out) {
  out[threadIdx.x] = *reinterpret_cast<const __half2 *>(in + 2 * threadIdx.x); // @pair
}
CASE(two_halves) { pairs<<<1, 4>>>(array<__half>(16, 0) + !fixed, array<__half2>(4)); }

// case atomic_of_two_halves
// expect: memcheck add
__global__ void add_pair(__half *values) {
  atomicAdd(reinterpret_cast<__half2 *>(values), __floats2half2_rn(1, 1)); // @add
}
CASE(atomic_of_two_halves) { add_pair<<<1, 4>>>(array<__half>(16, 0) + !fixed); }

// case above_the_launch_bounds
// expect: memcheck launch
// says: cudaErrorInvalidValue
// says: Its __launch_bounds__ allows blocks of 64 threads
template <int N> __global__ void __launch_bounds__(N) bounded(const int *in, int *out) {
  out[threadIdx.x] = in[threadIdx.x];
}
CASE(above_the_launch_bounds) {
  int *in = array<int>(96, 0), *out = array<int>(96);
  bounded<64><<<1, fixed ? 64 : 96>>>(in, out); // @launch
}

// case symbol_of_a_pointer
// expect: memcheck copy
// says: cudaErrorInvalidSymbol
__device__ float table[4];
CASE(symbol_of_a_pointer) {
  const float host[4] = {1, 2, 3, 4};
  float *pointer = array<float>(4);
  if (fixed)
    cudaMemcpyToSymbol(table, host, 8);
  else
    cudaMemcpyToSymbol(pointer, host, 8); // @copy
}

// case symbol_of_a_host_variable
// expect: memcheck copy
// says: cudaErrorInvalidSymbol
static float host_table[4];
CASE(symbol_of_a_host_variable) {
  const float host[4] = {1, 2, 3, 4};
  if (fixed)
    cudaMemcpyToSymbol(table, host, 8);
  else
    cudaMemcpyToSymbol(host_table, host, 8); // @copy
}

// case copy_to_shared_memory
// expect: memcheck copy
// says: with an address that is not a multiple of the copied bytes
__global__ void copy_four(bool fixed, const float *in, float *out) {
  __shared__ float tile[8];
  __pipeline_memcpy_async(&tile[fixed ? 4 : 1], in, 16); // @copy
  __pipeline_wait_prior(0);
  out[0] = tile[fixed ? 4 : 1];
}
CASE(copy_to_shared_memory) { copy_four<<<1, 1>>>(fixed, array<float>(4, 0), array<float>(1)); }

// case stream
// expect: memcheck create
// says: a stream is never destroyed
CASE(stream) {
  cudaStream_t stream;
  cudaStreamCreate(&stream); // @create
  cudaStreamSynchronize(stream);
  if (fixed)
    cudaStreamDestroy(stream);
}

// case events
// expect: memcheck create
// says: an event is never destroyed
CASE(events) {
  cudaEvent_t events[3];
  for (cudaEvent_t &event : events)
    cudaEventCreate(&event); // @create
  for (int i = fixed ? 0 : 1; i < 3; ++i)
    cudaEventDestroy(events[i]);
}

// case all_gone_with_the_device
// expect: nothing
CASE(all_gone_with_the_device) {
  cudaStream_t stream;
  cudaEvent_t event;
  cudaStreamCreate(&stream);
  cudaEventCreate(&event);
  cudaDeviceReset();
}

// case in_the_next_shared_array
// expect: memcheck read
// says: shared array near of 128 bytes
__device__ __noinline__ float look(const float *values, int i) {
  return values[i]; // @read
}
__global__ void neighbours(int i, float *out) {
  __shared__ float near[32], next[32];
  near[threadIdx.x] = 1;
  next[threadIdx.x] = 2;
  __syncthreads();
  out[threadIdx.x] = look(near, i + threadIdx.x % 2);
}
CASE(in_the_next_shared_array) { neighbours<<<1, 32>>>(fixed ? 30 : 140, array<float>(32)); }

// case in_the_next_piece_of_the_heap
// expect: memcheck write
__global__ void pieces(int i, int *out) {
  int *first = static_cast<int *>(malloc(1000)), *second = static_cast<int *>(malloc(1000));
  second[0] = 3;
  first[i] = 4; // @write
  out[0] = second[0];
  free(first);
  free(second);
}
CASE(in_the_next_piece_of_the_heap) { pieces<<<1, 1>>>(fixed ? 249 : 270, array<int>(1)); }

// case local_variable_of_an_earlier_kernel
// expect: memcheck read
// says: read of 4 bytes of local memory that is not the thread's
// Both kernels have a barrier, so that each thread has a stack.
__global__ void kept(bool fixed, int **addresses, int *values) {
  int local = threadIdx.x;
  addresses[threadIdx.x] = fixed ? values + threadIdx.x : &local;
  values[threadIdx.x] = local;
  __syncthreads();
}
__global__ void used(int *const *addresses, int *out) {
  __syncthreads();
  out[threadIdx.x] = *addresses[threadIdx.x]; // @read
}
CASE(local_variable_of_an_earlier_kernel) {
  int **addresses = array<int *>(32);
  kept<<<1, 32>>>(fixed, addresses, array<int>(32));
  used<<<1, 32>>>(addresses, array<int>(32));
}
