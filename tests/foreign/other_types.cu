// Numbers of 16 bits that are read and written eight at a time, by a pointer to uint4.
#include <cstdio>
#include <cuda_fp16.h>

__global__ void add(const __half *a, __half *c) {
  const int t = threadIdx.x;
  uint4 a_vector = reinterpret_cast<const uint4 *>(a)[t];
  uint4 c_vector = reinterpret_cast<const uint4 *>(c)[t];
  const __half *from = reinterpret_cast<const __half *>(&a_vector);
  __half *to = reinterpret_cast<__half *>(&c_vector);
  for (int i = 0; i < 8; ++i)
    to[i] += from[i];
  reinterpret_cast<uint4 *>(c)[t] = c_vector;
}

// The bits of a float as a number, and back.
__global__ void twice(float *x) {
  float mine = x[threadIdx.x];
  *reinterpret_cast<unsigned *>(&mine) += 1u << 23;
  x[threadIdx.x] = mine;
}

int main() {
  __half *a, *c;
  float *x;
  cudaMallocManaged(&a, 256 * sizeof *a);
  cudaMallocManaged(&c, 256 * sizeof *c);
  cudaMallocManaged(&x, 32 * sizeof *x);
  for (int i = 0; i < 256; ++i)
    a[i] = __float2half(i), c[i] = __float2half(2 * i);
  for (int i = 0; i < 32; ++i)
    x[i] = i + 1;
  add<<<1, 32>>>(a, c);
  twice<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < 256; ++i)
    wrong += __half2float(c[i]) != 3 * i;
  for (int i = 0; i < 32; ++i)
    wrong += x[i] != 2 * i + 2;
  std::puts(wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
