// Kernels that end before their time: the report names the line.
#include "cases.hpp"

#include <cassert>
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// case trap
// expect: memcheck trap
// A kernel gives up where the data is not what it expects.
__global__ void gives_up(bool fixed, const int *in, int *out) {
  if (in[threadIdx.x] != (fixed ? 0 : 1))
    __trap(); // @trap
  out[threadIdx.x] = 1;
}

CASE(trap) { gives_up<<<1, 32>>>(fixed, array<int>(32, 0), array<int>(32)); }

// case assertion
// expect: memcheck assertion
// An assertion that does not hold.
__global__ void asserts(bool fixed, const int *in, int *out) {
  assert(in[threadIdx.x] == (fixed ? 0 : 1)); // @assertion
  out[threadIdx.x] = 1;
}

CASE(assertion) { asserts<<<1, 32>>>(fixed, array<int>(32, 0), array<int>(32)); }

// case division_by_zero
// expect: memcheck divide
// On a GPU the result is a meaningless number.
__global__ void divides(bool fixed, const int *in, int *out) {
  const int t = threadIdx.x;
  out[t] = 100 / (in[t] + (fixed ? 1 : 0)); // @divide
}

CASE(division_by_zero) { divides<<<1, 32>>>(fixed, array<int>(32, 0), array<int>(32)); }

// case recursion
// expect: memcheck deeper
// A recursion that does not end.
__device__ int deeper(const int *in, int depth) { // @deeper
  // Large: the stack ends in a frame of this function, not of one it calls.
  volatile int local[2048];
  local[depth & 2047] = in[0];
  if (in[0] != depth)
    return local[depth & 2047] + deeper(in, depth + 1);
  return depth;
}

__global__ void recurses(bool fixed, const int *in, int *out) {
  out[threadIdx.x] = deeper(in, fixed ? 0 : 1);
}

CASE(recursion) { recurses<<<1, 1>>>(fixed, array<int>(1, 0), array<int>(1)); }

// case grid_barrier_in_an_ordinary_launch
// expect: memcheck sync
// All blocks of the grid are waited for; an ordinary launch does not promise that they run at once.
__global__ void waits(int *out) {
  cg::this_grid().sync(); // @sync
  out[blockIdx.x] = 1;
}

CASE(grid_barrier_in_an_ordinary_launch) {
  int *out = array<int>(2);
  if (fixed)
    launch(waits, 2, 1, out);
  else
    waits<<<2, 1>>>(out);
}
