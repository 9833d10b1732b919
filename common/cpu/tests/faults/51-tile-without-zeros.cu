// expect: initcheck use
// The part of a tile outside the matrix is not filled with zeros.
#include "array.hpp"

constexpr int tile = 8;

__global__ void row_sums(const float *a, float *sums, int n) {
  __shared__ float s[tile][tile];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.x * tile + y;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
#ifdef FIXED
    s[y][x] = row < n && k + x < n ? a[row * n + k + x] : 0;
#else
    if (row < n && k + x < n)
      s[y][x] = a[row * n + k + x];
#endif
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum += s[y][i]; // @use
    __syncthreads();
  }
  if (x == 0 && row < n)
    sums[row] = sum;
}

int main() {
  float *a = array<float>(13 * 13, 0), *sums = array<float>(13);
  row_sums<<<2, dim3(tile, tile)>>>(a, sums, 13);
  return cudaDeviceSynchronize();
}
