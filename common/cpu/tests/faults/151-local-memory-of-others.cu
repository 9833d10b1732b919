// The address of a local variable holds for its own thread, as long as its function runs.
#include "cases.hpp"

// case of_the_first_thread
// expect: memcheck read
// says: read of 4 bytes of local memory that is not the thread's
// The first thread keeps the address of its variable for the others.
__global__ void shared_by_address(bool fixed, const int *in, int *out) {
  __shared__ const int *address;
  __shared__ int copy;
  int value = in[0];
  if (threadIdx.x == 0) {
    copy = value;
    address = fixed ? &copy : &value;
  }
  __syncthreads();
  out[threadIdx.x] = *address; // @read
}

CASE(of_the_first_thread) { shared_by_address<<<1, 64>>>(fixed, array<int>(1, 0), array<int>(64)); }

// case of_another_lane
// expect: memcheck write
// Each thread writes to a variable of its neighbour.
__global__ void to_the_neighbour(bool fixed, int *out) {
  __shared__ int *addresses[64];
  const int t = threadIdx.x;
  int received = 0;
  addresses[t] = fixed ? &out[t] : &received;
  __syncthreads();
  *addresses[(t + 1) % 64] = t; // @write
  __syncthreads();
  if (!fixed)
    out[t] = received;
}

CASE(of_another_lane) { to_the_neighbour<<<1, 64>>>(fixed, array<int>(64)); }

// case of_an_earlier_kernel
// expect: memcheck read
// One kernel keeps addresses of local variables, the next one reads there.
__global__ void kept(bool fixed, int **addresses, int *values) {
  int value = threadIdx.x;
  values[threadIdx.x] = value;
  addresses[threadIdx.x] = fixed ? &values[threadIdx.x] : &value;
}

__global__ void used(int *const *addresses, int *out) {
  out[threadIdx.x] = *addresses[threadIdx.x]; // @read
}

CASE(of_an_earlier_kernel) {
  int **addresses = array<int *>(32), *values = array<int>(32);
  kept<<<1, 32>>>(fixed, addresses, values);
  used<<<1, 32>>>(addresses, array<int>(32));
}

// case in_its_own_thread
// expect: nothing
// Addresses of local variables in memory that all share, each used by its own thread; large arrays
// and a recursion.
__device__ int sum(const int *const *part, int depth) {
  int own[100];
  for (int i = 0; i < 100; ++i)
    own[i] = **part + i;
  const int *mine = own;
  return depth == 0 ? own[99] : own[depth] + sum(&mine, depth - 1);
}

__global__ void by_address(int *out) {
  __shared__ const int *addresses[64];
  int large[3000];
  for (int i = 0; i < 3000; ++i)
    large[i] = i;
  addresses[threadIdx.x] = large + 2900;
  int result = sum(&addresses[threadIdx.x], 20);
  __syncthreads();
  result += sum(&addresses[threadIdx.x], 20);
  out[64 * blockIdx.x + threadIdx.x] = result + *addresses[threadIdx.x];
}

CASE(in_its_own_thread) { by_address<<<3, 64>>>(array<int>(192, 0)); }
