// Waits for other blocks, copies in stages, captured work.
#include "cases.hpp"

// case flag_of_the_next_block
// expect: synccheck look
// Each block waits for the next one. That one need not begin before the first ends, except in a
// cooperative launch.
__global__ void exchange(unsigned *flags, int *values, int *out) {
  const unsigned mine = blockIdx.x, next = (blockIdx.x + 1) % gridDim.x;
  if (threadIdx.x > 0)
    return;
  values[mine] = mine;
  __threadfence();
  atomicExch(&flags[mine], 1u);
  while (*const_cast<volatile unsigned *>(&flags[next]) == 0) // @look
    ;
  __threadfence();
  out[mine] = values[next];
}

CASE(flag_of_the_next_block) {
  unsigned *flags = array<unsigned>(4, 0);
  int *values = array<int>(4), *out = array<int>(4);
  if (fixed)
    launch(exchange, 4, 32, flags, values, out);
  else
    exchange<<<4, 32>>>(flags, values, out);
}

// case lock_not_released
// expect: synccheck take
// A lock that nobody releases.
__global__ void add(bool fixed, int *lock, int *sum) {
  if (threadIdx.x > 0)
    return;
  while (atomicCAS(lock, 0, 1) != 0) // @take
    ;
  __threadfence();
  *sum += blockIdx.x;
  __threadfence();
  if (fixed)
    atomicExch(lock, 0);
}

CASE(lock_not_released) { add<<<8, 32>>>(fixed, array<int>(1, 0), array<int>(1, 0)); }

// case flag_behind_a_barrier
// expect: synccheck look
// A thread waits for a flag that another one sets behind a barrier, which the first must reach,
// too.
__global__ void wait(bool fixed, int *out) {
  __shared__ int flag;
  if (threadIdx.x == 0)
    flag = 0;
  __syncthreads();
  if (fixed && threadIdx.x == 100)
    atomicExch(&flag, 1);
  if (threadIdx.x == 0)
    while (atomicAdd(&flag, 0) == 0) // @look
      ;
  __syncthreads();
  if (threadIdx.x == 100)
    atomicExch(&flag, 1);
  out[threadIdx.x] = threadIdx.x;
}

CASE(flag_behind_a_barrier) { wait<<<1, 128>>>(fixed, array<int>(128)); }

// case pipeline_after_a_fill
// expect: racecheck copy scale
// The host has filled pinned memory before; the kernel does not wait for the copy in another
// stream.
__global__ void scale(float *a) {
  a[threadIdx.x] *= 2; // @scale
}

CASE(pipeline_after_a_fill) {
  float *a = array<float>(64);
  float *host = pinned<float>(64);
  for (int i = 0; i < 64; ++i)
    host[i] = i;
  Stream copies, kernels;
  Event copied;
  cudaMemcpyAsync(a, host, 64 * sizeof(float), cudaMemcpyHostToDevice, copies); // @copy
  cudaEventRecord(copied, copies);
  if (fixed)
    cudaStreamWaitEvent(kernels, copied);
  scale<<<1, 64, 0, kernels>>>(a);
}

// case branches_of_a_graph
// expect: racecheck first second
// Two branches of a captured graph write the same array; the join alone orders nothing between
// them.
__global__ void fill(int *a, int value) { a[threadIdx.x] = value; }                 // @first
__global__ void negate(int *a) { a[threadIdx.x] = -static_cast<int>(threadIdx.x); } // @second

CASE(branches_of_a_graph) {
  int *a = array<int>(64, 0);
  Stream other;
  Event fork, join;
  const cudaGraphExec_t graph = captured([&](cudaStream_t stream) {
    if (fixed)
      fill<<<1, 64, 0, stream>>>(a, 1);
    cudaEventRecord(fork, stream);
    if (!fixed)
      fill<<<1, 64, 0, stream>>>(a, 1);
    cudaStreamWaitEvent(other, fork, 0);
    negate<<<1, 64, 0, other>>>(a);
    cudaEventRecord(join, other);
    cudaStreamWaitEvent(stream, join, 0);
  });
  for (int launch = 0; launch < 3; ++launch)
    cudaGraphLaunch(graph, nullptr);
  finish(graph);
}

// case graph_destroyed
// expect: racecheck copy read
// The host reads what a graph copies, and has not waited: destroying a graph waits for nothing.
CASE(graph_destroyed) {
  int *values = array<int>(32, 0);
  int *host = pinned<int>(32);
  Stream stream;
  const cudaGraphExec_t graph = captured([&](cudaStream_t stream) {
    cudaMemcpyAsync(host, values, 32 * sizeof(int), cudaMemcpyDeviceToHost, stream);
  });
  cudaGraphLaunch(graph, stream); // @copy
  if (fixed)
    cudaStreamSynchronize(stream);
  cudaGraphExecDestroy(graph);
  std::printf("%d\n", host[0]); // @read
}
