// `<< <` and `>> >`, as some formatters leave a launch; and a macro whose launch is as far from its
// beginning as a kernel's body is from that of the file.
#include <stdio.h>

// clang-format off
__global__ void set(int *x, int value) { x[threadIdx.x] = value; }
template <class T, int N> __global__ void add(T *x) { x[threadIdx.x] += N; }

#define ADD_ONE(x) add<int, 1> << < 1, 32 >> > (x)
#define SET_IF(is, x, value) do { if (is) { set << < 1, 32 >> > (x, value); } } while (0)

int main() {
  int *x, n = 64, right = 1;
  cudaMallocManaged(&x, 32 * sizeof(int));
  SET_IF(n > 0, x, 5);
  set << < n >> 6, n >> 1 >> > (x, 1 << 3);
  add<int, 2><< <1, 32, 0, 0 >> >(x);
  ADD_ONE(x);
  right = cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 0; i < 32; ++i)
    right = right && x[i] == 11;
  puts(right ? "PASS" : "FAIL");
  return !right;
}
