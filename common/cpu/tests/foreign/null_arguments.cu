// NULL and 0 for pointers, of kernels of all kinds.
#include <stdio.h>

__global__ void plain(int *x, const float *y, void *z, int n) { *x = y || z ? -1 : n; }
__global__ void with_default(int *x, const int *y, int n = 5) { *x = y ? -1 : n; }
template <class T> __global__ void typed(T *x, const T *y, T value, int n) {
  *x = y ? -1 : value + n;
}
template <class T> __global__ void deduced(int *x, T value) { *x = value + (int)sizeof(T); }

int main() {
  int *x;
  cudaMallocManaged(&x, sizeof(int));
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
  puts(right ? "PASS" : "FAIL");
  return !right;
}
