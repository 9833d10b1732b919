// bfloat16 as machine learning uses it: stored, converted, added, passed on by shuffles and
// atomics.
#include <cuda_bf16.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// The nearest bfloat16, ties to even: the upper half of the float's bits.
static unsigned short nearest(float value) {
  unsigned bits;
  memcpy(&bits, &value, sizeof bits);
  return (unsigned short)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

__global__ void kernel(const float *x, unsigned short *rounded, __nv_bfloat162 *pairs,
                       __nv_bfloat16 *sum) {
  const int i = threadIdx.x;
  const __nv_bfloat16 value = __float2bfloat16(x[i]);
  rounded[i] = __bfloat16_as_ushort(value);
  const __nv_bfloat162 pair = __floats2bfloat162_rn(float(i), 0.5f);
  pairs[i] = __hfma2(pair, pair, __shfl_xor_sync(0xffffffffu, pair, 1));
  atomicAdd(sum, __float2bfloat16(i % 2 ? 2.0f : -1.0f));
}

int main() {
  float *x;
  unsigned short *rounded;
  __nv_bfloat162 *pairs;
  __nv_bfloat16 *sum;
  cudaMallocManaged(&x, 32 * sizeof *x);
  cudaMallocManaged(&rounded, 32 * sizeof *rounded);
  cudaMallocManaged(&pairs, 32 * sizeof *pairs);
  cudaMallocManaged(&sum, sizeof *sum);
  for (int i = 0; i < 32; ++i)
    x[i] = ldexpf(1.0f + 0.00390625f * i, 8 * i - 120); // some are halfway between two
  *sum = 0.0f;
  kernel<<<1, 32>>>(x, rounded, pairs, sum);
  bool right = cudaDeviceSynchronize() == cudaSuccess && float(*sum) == 16;
  for (int i = 0; i < 32; ++i) {
    right = right && rounded[i] == nearest(x[i]);
    right = right && float(pairs[i].x) == float(__nv_bfloat16(float(i * i + (i ^ 1))));
    right = right && float(pairs[i].y) == 0.75f;
  }
  for (int bits = 0; bits < 0x7F80; ++bits)
    right =
        right && __bfloat16_as_ushort(float(__ushort_as_bfloat16((unsigned short)bits))) == bits;
  cudaFree(x);
  cudaFree(rounded);
  cudaFree(pairs);
  cudaFree(sum);
  puts(right ? "PASS" : "FAIL");
  return !right;
}
