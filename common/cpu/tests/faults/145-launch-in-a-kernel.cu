// Kernels that launch kernels, copies and fills.
#include "cases.hpp"

// case child
// expect: nothing
__global__ void ones(int *x) { x[threadIdx.x] = 1; }
__global__ void parent(int *x) {
  if (threadIdx.x == 0)
    ones<<<1, 32>>>(x);
}

CASE(child) { parent<<<1, 32>>>(array<int>(32)); }

// case halves
// expect: nothing
// A kernel that launches itself for each half, and structures as arguments.
struct Part {
  int *values;
  int first, past_last;
};

__global__ void halved(Part part) {
  const int middle = (part.first + part.past_last) / 2;
  if (middle == part.first) {
    part.values[middle] += middle;
    return;
  }
  halved<<<1, 1>>>(Part{part.values, part.first, middle});
  halved<<<1, 1>>>(Part{part.values, middle, part.past_last});
}

CASE(halves) { halved<<<1, 1>>>(Part{array<int>(16, 0), 0, 16}); }

// case copies_and_fills
// expect: nothing
// In the order of a stream: a fill, a kernel, a copy, and a kernel after all of them.
__global__ void doubled(int *x) { x[threadIdx.x] *= 2; }
__global__ void chain(int *x, int *y) {
  cudaMemsetAsync(x, 0, 32 * sizeof(int));
  doubled<<<1, 32>>>(x);
  cudaMemcpyAsync(y, x, 32 * sizeof(int), cudaMemcpyDeviceToDevice);
  doubled<<<1, 32, 0, cudaStreamTailLaunch>>>(y);
}

CASE(copies_and_fills) {
  int *x = array<int>(32), *y = array<int>(32), host[32];
  chain<<<1, 1>>>(x, y);
  cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
}

// case race_in_a_child
// expect: racecheck read write
// says: kernel shifted launched at
__global__ void shifted(bool fixed, int *x) {
  const int next = x[threadIdx.x + 1]; // @read
  if (fixed)
    __syncthreads();
  x[threadIdx.x] = next; // @write
}
__global__ void launches_shifted(bool fixed, int *x) { shifted<<<1, 64>>>(fixed, x); }

CASE(race_in_a_child) { launches_shifted<<<1, 1>>>(fixed, array<int>(65, 0)); }

// case child_past_the_end
// expect: memcheck write
// The parent hands on the size in bytes.
__global__ void filled(int *x, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    x[i] = i; // @write
}
__global__ void launches_filled(bool fixed, int *x, int bytes) {
  filled<<<1, 32>>>(x, fixed ? bytes / int(sizeof *x) : bytes);
}

CASE(child_past_the_end) { launches_filled<<<1, 1>>>(fixed, array<int>(64), 64 * sizeof(int)); }

// case unwritten_by_the_child
// expect: initcheck read
// The second child reads what the first one has not written to the end.
__global__ void total(const int *x, int *sum) {
  atomicAdd(sum, x[threadIdx.x]); // @read
}
__global__ void two_children(bool fixed, int *x, int *sum) {
  ones<<<1, fixed ? 64 : 63>>>(x);
  total<<<1, 64>>>(x, sum);
}

CASE(unwritten_by_the_child) { two_children<<<1, 1>>>(fixed, array<int>(64), array<int>(1, 0)); }
