// expect: racecheck store use
// A tile is overwritten while other threads still use it.
#include "array.hpp"

constexpr int tile = 8, n = 24;

__global__ void multiply(const float *a, const float *b, float *c) {
  __shared__ float s[tile][tile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * tile + y, column = blockIdx.x * tile + x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    s[y][x] = a[row * n + k + x]; // @store
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum += s[y][i] * b[(k + i) * n + column]; // @use
#ifdef FIXED
    __syncthreads();
#endif
  }
  c[row * n + column] = sum;
}

int main() {
  float *a = array<float>(n * n, 0), *b = array<float>(n * n, 0), *c = array<float>(n * n);
  multiply<<<dim3(3, 3), dim3(tile, tile)>>>(a, b, c);
  return cudaDeviceSynchronize();
}
