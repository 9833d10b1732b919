// Launches, kernels and shared memory as other people write them.
#include "parts.hpp"

#include <cstdio>
#include <stdio.h>

// `<< <` and `>> >`, as some formatters leave a launch; and a macro whose launch is as far from its
// beginning as a kernel's body is from that of the file.
namespace launch_with_blanks {
// clang-format off
__global__ void set(int *x, int value) { x[threadIdx.x] = value; }
template <class T, int N> __global__ void add(T *x) { x[threadIdx.x] += N; }

#define ADD_ONE(x) add<int, 1> << < 1, 32 >> > (x)
#define SET_IF(is, x, value) do { if (is) { set << < 1, 32 >> > (x, value); } } while (0)

bool is_right() {
  int *x, n = 64, right = 1;
  cudaMallocManaged(&x, 32 * sizeof(int));
  SET_IF(n > 0, x, 5);
  set << < n >> 6, n >> 1 >> > (x, 1 << 3);
  add<int, 2><< <1, 32, 0, 0 >> >(x);
  ADD_ONE(x);
  right = cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 0; i < 32; ++i)
    right = right && x[i] == 11;
  return right;
}
} // namespace launch_with_blanks

// NULL and 0 for pointers, of kernels of all kinds.
namespace null_arguments {
__global__ void plain(int *x, const float *y, void *z, int n) { *x = y || z ? -1 : n; }
__global__ void with_default(int *x, const int *y, int n = 5) { *x = y ? -1 : n; }
template <class T> __global__ void typed(T *x, const T *y, T value, int n) {
  *x = y ? -1 : value + n;
}
template <class T> __global__ void deduced(int *x, T value) { *x = value + (int)sizeof(T); }

bool is_right() {
  int *x = managed<int>(1);
  bool right = true;
  const auto gives = [&](int wanted) {
    right = right && cudaDeviceSynchronize() == cudaSuccess && *x == wanted;
  };
  plain<<<1, 1>>>(x, NULL, 0, 1), gives(1);
  plain<<<1, 1, 0, NULL>>>(x, 0, nullptr, 0), gives(0);
  with_default<<<1, 1>>>(x, 0), gives(5);
  with_default<<<1, 1>>>(x, NULL, 6), gives(6);
  typed<<<1, 1, 0, NULL>>>(x, (const int *)0, 0, 2), gives(2);
  typed<int><<<1, 1>>>(x, 0, 3, 0), gives(3);
  typed<int><<<1, 1>>>(x, NULL, 0, 4), gives(4);
  deduced<<<1, 1>>>(x, 0), gives(sizeof(int));
  void (*p)(int *, const float *, void *, int) = plain;
  p<<<1, 1>>>(x, 0, NULL, 7), gives(7);
  return right;
}
} // namespace null_arguments

// A host function that has the name of a kernel and launches it, and dot products of char4.
namespace host_twins {
__global__ void dot(const char4 *a, const uchar4 *b, int *sums) {
  sums[0] = __dp4a(a[0], a[1], 1);
  sums[1] = __dp4a(b[0], b[1], 2u);
}

bool dot() {
  char4 *a = managed<char4>(2);
  uchar4 *b = managed<uchar4>(2);
  int *sums = managed<int>(2);
  a[0] = make_char4(-128, 2, 3, 4);
  a[1] = make_char4(127, -1, 0, 5);
  b[0] = make_uchar4(255, 2, 3, 4);
  b[1] = make_uchar4(255, 1, 0, 5);
  dot<<<1, 1>>>(a, b, sums);
  const bool is_right = cudaDeviceSynchronize() == cudaSuccess &&
                        sums[0] == 1 - 128 * 127 - 2 + 20 && sums[1] == 2 + 255 * 255 + 2 + 20;
  cudaFree(a);
  cudaFree(b);
  cudaFree(sums);
  return is_right;
}

// One of another namespace takes nothing from the launch.
struct Two {
  int low, high;
};
__global__ void put(int *out, Two two) { *out = 10 * two.high + two.low; }
namespace host {
void put(int *out, Two two) { *out = two.high - two.low; }
} // namespace host

bool put_both() {
  int *out, difference;
  cudaMallocManaged(&out, sizeof *out);
  put<<<1, 1>>>(out, {1, 2});
  host::put(&difference, {1, 2});
  const bool is_right = cudaDeviceSynchronize() == cudaSuccess && *out == 21 && difference == 1;
  cudaFree(out);
  return is_right;
}

bool is_right() {
  return dot() && put_both();
}
} // namespace host_twins

// Shared memory outside of functions, also with __device__ before it: each block has its own.
namespace shared_at_namespace_scope {
constexpr int block_size = 96;
__shared__ int values[block_size];
__device__ __shared__ int scale;

__device__ void fill() {
  values[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 0)
    scale = blockIdx.x + 1;
  __syncthreads();
}

__global__ void reverse(int *result) {
  fill();
  result[blockIdx.x * block_size + threadIdx.x] = scale * values[block_size - 1 - threadIdx.x];
}

bool is_right() {
  constexpr int blocks = 5;
  int *result = managed<int>(blocks * block_size);
  reverse<<<blocks, block_size>>>(result);
  bool right = cudaDeviceSynchronize() == cudaSuccess;
  for (int b = 0; b < blocks; ++b)
    for (int t = 0; t < block_size; ++t)
      right = right && result[b * block_size + t] == (b + 1) * (block_size - 1 - t);
  return right;
}
} // namespace shared_at_namespace_scope

// The words of a __shared__ declaration in many orders, and types of all kinds.
namespace shared_orders {
extern int __shared__ at_file_scope[];
__shared__ extern volatile float at_file_scope_too[];

template <class T> struct Dynamic {
  __device__ operator T *() {
    extern unsigned char __shared__ bytes[];
    return (T *)bytes;
  }
};
template <class T> struct Block {
  struct Storage {
    T values[32];
  };
};

template <class T, int N> __global__ void reverse(T *x) {
  T *dynamic = Dynamic<T>();
  float __shared__ floats[N];
  unsigned int __shared__ count, counts[N];
  __shared__ volatile T flags[N];
  __shared__ T(*row)[N];
  __align__(16) __shared__ T table[2][N];
  __shared__ typename Block<T>::Storage storage;
  __shared__ union {
    T value;
    unsigned char bytes[sizeof(T)];
  } both[N];
  const int i = threadIdx.x, other = N - 1 - i;
  dynamic[i] = i;
  floats[i] = counts[i] = flags[i] = table[1][i] = storage.values[i] = both[i].value = i;
  if (i == 0) {
    count = N;
    row = table;
  }
  __syncthreads();
  x[i] = dynamic[other] + floats[other] + counts[other] + flags[other] + row[1][other] +
         storage.values[other] + both[other].value + (count - N);
}

__global__ void whole_block(int *x) {
  at_file_scope[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const bool same =
      (const volatile void *)at_file_scope == (const volatile void *)at_file_scope_too;
  x[threadIdx.x] = same ? at_file_scope[31 - threadIdx.x] : -1;
}

bool is_right() {
  int *x = managed<int>(32), *y = managed<int>(32);
  reverse<int, 32><<<1, 32, 32 * sizeof(int)>>>(x);
  whole_block<<<1, 32, 32 * sizeof(int)>>>(y);
  bool right = cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 0; i < 32; ++i)
    right = right && x[i] == 7 * (31 - i) && y[i] == 31 - i;
  return right;
}
} // namespace shared_orders

int main() {
  return run_parts({{"launch_with_blanks", launch_with_blanks::is_right}, {"null_arguments", null_arguments::is_right}, {"host_twins", host_twins::is_right}, {"shared_at_namespace_scope", shared_at_namespace_scope::is_right}, {"shared_orders", shared_orders::is_right}});
}
