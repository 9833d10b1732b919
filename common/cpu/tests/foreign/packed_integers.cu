// Integer arithmetic on packed numbers (SIMD intrinsics) and DPX. The sums are what an H100 gave.
#include <cstdio>

struct Entry {
  unsigned sum;
  const char *call;
};

// Words of which many have a number at an end of its range.
__device__ unsigned word(unsigned i) {
  i *= 2654435761u;
  i ^= i >> 15;
  i *= 2246822519u;
  i ^= i >> 13;
  const unsigned ends[] = {0x00000000, 0x80008000, 0x7FFF7FFF, 0xFFFFFFFF, 0x80808080, 0x7F7F7F7F};
  const unsigned kind = i % 12;
  return kind < 6 ? ends[kind] ^ (i >> 8 & 0x01010101) : i;
}

__global__ void sums(unsigned *sum) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned a = word(3 * i), b = word(3 * i + 1), c = word(3 * i + 2);
  bool high = false, low = false;
  unsigned *next = sum;
#define ENTRY(expected, call) atomicAdd(next++, (static_cast<unsigned>(call) + 1) * (2 * i + 1));
#include "packed_integers.inc"
#undef ENTRY
}

int main() {
  const Entry entries[] = {
#define ENTRY(expected, call) {expected, #call},
#include "packed_integers.inc"
#undef ENTRY
  };
  const int count = sizeof entries / sizeof entries[0];
  unsigned *sum;
  cudaMallocManaged(&sum, count * sizeof(unsigned));
  cudaMemset(sum, 0, count * sizeof(unsigned));
  sums<<<128, 256>>>(sum);
  bool right = cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 0; i < count; ++i)
    if (sum[i] != entries[i].sum) {
      printf("ENTRY(0x%08X, %s)\n", sum[i], entries[i].call);
      right = false;
    }
  cudaFree(sum);
  puts(right ? "PASS" : "FAIL");
  return !right;
}
