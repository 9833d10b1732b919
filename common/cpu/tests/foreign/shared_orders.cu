// The words of a __shared__ declaration in many orders, and types of all kinds.
#include <stdio.h>

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

int main() {
  int *x, *y;
  cudaMallocManaged(&x, 32 * sizeof(int));
  cudaMallocManaged(&y, 32 * sizeof(int));
  reverse<int, 32><<<1, 32, 32 * sizeof(int)>>>(x);
  whole_block<<<1, 32, 32 * sizeof(int)>>>(y);
  bool right = cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 0; i < 32; ++i)
    right = right && x[i] == 7 * (31 - i) && y[i] == 31 - i;
  puts(right ? "PASS" : "FAIL");
  return !right;
}
