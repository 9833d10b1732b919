// Numbers that are read and written by pointers to other types: eight halves as a uint4, four
// floats as an int4.
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

// Numbers that are written as floats and read as four integers, and the other way round.
__global__ void bits(float *x, int4 *seen) {
  int4 *four = reinterpret_cast<int4 *>(x);
  const int4 before = *four;
  x[0] = 2;
  *seen = *four;
  seen->w = before.x;
  const float old = x[1];
  *four = {0, 0, 0, 0};
  x[2] = x[1] + old;
}

// Reads and writes the floats of local variables one by one.
__global__ void each(const float *x, float *sum) {
  const uint4 four = reinterpret_cast<const uint4 *>(x)[threadIdx.x];
  uint4 sums;
  for (int i = 0; i < 4; ++i)
    reinterpret_cast<float *>(&sums)[i] = reinterpret_cast<const float *>(&four)[i] + 1;
  reinterpret_cast<uint4 *>(sum)[threadIdx.x] = sums;
}

int main() {
  __half *a, *c;
  float *x;
  cudaMallocManaged(&a, 256 * sizeof *a);
  cudaMallocManaged(&c, 256 * sizeof *c);
  cudaMallocManaged(&x, 4 * sizeof *x);
  int4 *seen;
  cudaMallocManaged(&seen, sizeof *seen);
  for (int i = 0; i < 256; ++i)
    a[i] = __float2half(i), c[i] = __float2half(2 * i);
  for (int i = 0; i < 4; ++i)
    x[i] = 1;
  add<<<1, 32>>>(a, c);
  bits<<<1, 1>>>(x, seen);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < 256; ++i)
    wrong += __half2float(c[i]) != 3 * i;
  wrong += seen->x != 0x40000000 || seen->y != 0x3f800000 || seen->w != 0x3f800000;
  wrong += x[0] != 0 || x[1] != 0 || x[2] != 1;
  for (int i = 0; i < 4; ++i)
    x[i] = i;
  each<<<1, 1>>>(x, reinterpret_cast<float *>(seen));
  cudaDeviceSynchronize();
  for (int i = 0; i < 4; ++i)
    wrong += reinterpret_cast<float *>(seen)[i] != i + 1;
  std::puts(wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
