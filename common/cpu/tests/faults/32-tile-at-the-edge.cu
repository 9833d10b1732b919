// expect: memcheck load
// A tile that reaches over the matrix is loaded without a guard.
#include "array.hpp"

constexpr int tile = 8;

__global__ void transpose(const float *in, float *out, int n) {
  __shared__ float s[tile][tile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * tile + y, column = blockIdx.x * tile + x;
#ifdef FIXED
  s[y][x] = row < n && column < n ? in[row * n + column] : 0;
#else
  s[y][x] = in[row * n + column]; // @load
#endif
  __syncthreads();
  const int to_row = blockIdx.x * tile + y, to_column = blockIdx.y * tile + x;
  if (to_row < n && to_column < n)
    out[to_row * n + to_column] = s[x][y];
}

int main() {
  float *in = array<float>(13 * 13, 0), *out = array<float>(13 * 13);
  transpose<<<dim3(2, 2), dim3(tile, tile)>>>(in, out, 13);
  return cudaDeviceSynchronize();
}
