// Kernels whose names are those of algorithms of C++, too, and `using namespace std`.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <tuple>
using namespace std;

__global__ void fill(int *p, int value, int n) {
  if (threadIdx.x < n)
    p[threadIdx.x] = value;
}

__global__ void transform(int *p) { p[threadIdx.x] *= 2; }

__global__ void copy(int *from, int *to) { to[threadIdx.x] = from[threadIdx.x]; }

__global__ void reduce(int *in, int *out, int n) {
  if (threadIdx.x < n)
    atomicAdd(out, in[threadIdx.x]);
}

typedef int (*Operation)(int);
__device__ int plus_one(int x) { return x + 1; }
__device__ Operation operation = plus_one;
__global__ void apply(Operation f, int *p) { *p = f(*p); }

template <class T> __global__ void swap(T *a, T *b) {
  T old = *a;
  *a = *b;
  *b = old;
}

struct Fraction {
  int over, under;
};
__global__ void scale(int *p, Fraction f) { *p = *p * f.over / f.under; }

int main() {
  int *p, *q;
  cudaMallocManaged(&p, 64 * sizeof(int));
  q = p + 32;
  q[31] = 0;
  fill<<<1, 32>>>(p, 3, 31);
  transform<<<1, 31>>>(p);
  copy<<<1, 31>>>(p, q);
  reduce<<<1, 32>>>(q, q + 31, 31);
  Operation host;
  cudaMemcpyFromSymbol(&host, operation, sizeof host);
  apply<<<1, 1>>>(host, p);
  scale<<<1, 1>>>(p, {4, 2});
  swap<<<1, 1>>>(p, q + 31);
  const bool is_right = cudaDeviceSynchronize() == cudaSuccess && p[0] == 186 && q[31] == 14;
  puts(is_right ? "PASS" : "FAIL");
  return !is_right;
}
