// Memory that nothing has written.
#include "cases.hpp"

#include <vector>

// Of several cases.
__global__ void twice(const float *in, float *out) {
  out[threadIdx.x] = 2 * in[threadIdx.x]; // @twice
}

// case part_of_a_block
// expect: initcheck add
// Threads past the end leave their part of the shared array without a value.
__global__ void sum(bool fixed, const float *in, float *out, int n) {
  __shared__ float s[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  if (fixed)
    s[t] = i < n ? in[i] : 0;
  else if (i < n)
    s[t] = in[i];
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (t < half)
      s[t] += s[t + half]; // @add
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}

CASE(part_of_a_block) { sum<<<2, 128>>>(fixed, array<float>(200, 0), array<float>(2), 200); }

// case tile_without_zeros
// expect: initcheck use
// The part of a tile outside the matrix is not filled with zeros.
constexpr int tile = 8;

__global__ void row_sums(bool fixed, const float *a, float *sums, int n) {
  __shared__ float s[tile][tile];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.x * tile + y;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    if (fixed)
      s[y][x] = row < n && k + x < n ? a[row * n + k + x] : 0;
    else if (row < n && k + x < n)
      s[y][x] = a[row * n + k + x];
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum += s[y][i]; // @use
    __syncthreads();
  }
  if (x == 0 && row < n)
    sums[row] = sum;
}

CASE(tile_without_zeros) {
  row_sums<<<2, dim3(tile, tile)>>>(fixed, array<float>(13 * 13, 0), array<float>(13), 13);
}

// case histogram_not_zeroed
// expect: initcheck count
// expect: initcheck flush
// 64 threads set 64 of 256 bins to zero.
__global__ void histogram(bool fixed, const int *values, int *bins) {
  __shared__ int counts[256];
  const int t = threadIdx.x;
  if (fixed)
    for (int i = t; i < 256; i += 64)
      counts[i] = 0;
  else
    counts[t] = 0;
  __syncthreads();
  atomicAdd(&counts[values[t]], 1); // @count
  __syncthreads();
  for (int i = t; i < 256; i += 64)
    atomicAdd(&bins[i], counts[i]); // @flush
}

CASE(histogram_not_zeroed) {
  int host[64];
  for (int i = 0; i < 64; ++i)
    host[i] = 4 * i;
  int *values = array<int>(64), *bins = array<int>(256, 0);
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  histogram<<<1, 64>>>(fixed, values, bins);
}

// case input_not_copied
// expect: initcheck twice
// The copy to the device was forgotten.
CASE(input_not_copied) {
  float host[32] = {};
  float *in = array<float>(32), *out = array<float>(32);
  if (fixed)
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  twice<<<1, 32>>>(in, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
}

// case left_by_another_block
// expect: initcheck load
// Shared memory keeps nothing from one block to the next.
__global__ void fill(bool fixed, int *out) {
  __shared__ int s[32];
  if (fixed || blockIdx.x == 0)
    s[threadIdx.x] = 1;
  __syncthreads();
  out[blockIdx.x * 32 + threadIdx.x] = s[threadIdx.x]; // @load
}

CASE(left_by_another_block) { fill<<<2, 32>>>(fixed, array<int>(64)); }

// case sum_not_zeroed
// expect: initcheck add
// Atomics add to a sum that has no value.
__global__ void count_up(int *sum) {
  atomicAdd(sum, 1); // @add
}

CASE(sum_not_zeroed) {
  int *sum = array<int>(1);
  if (fixed)
    cudaMemset(sum, 0, sizeof(int));
  count_up<<<1, 32>>>(sum);
}

// case copy_of_nothing
// expect: initcheck twice
// A copy from array to array hands on what has no value.
CASE(copy_of_nothing) {
  float *first = array<float>(32), *second = array<float>(32, 0);
  if (fixed)
    cudaMemset(first, 0, 32 * sizeof(float));
  cudaMemcpy(second, first, 32 * sizeof(float), cudaMemcpyDeviceToDevice);
  twice<<<1, 32>>>(second, array<float>(32));
}

// case last_chunk_dropped
// expect: initcheck load
// 1000 elements in chunks of 256: the last part is not copied.
__global__ void twice_each_chunk(const float *in, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 2 * in[i]; // @load
}

CASE(last_chunk_dropped) {
  const std::vector<float> host(1000);
  float *in = array<float>(1000), *out = array<float>(1000);
  const int last = fixed ? 1000 : 1000 / 256 * 256;
  for (int first = 0; first < last; first += 256) {
    const int count = last - first < 256 ? last - first : 256;
    cudaMemcpy(in + first, &host[first], count * sizeof(float), cudaMemcpyHostToDevice);
  }
  twice_each_chunk<<<4, 256>>>(in, out, 1000);
}

// case uninitialised_narrow
// expect: initcheck add
// Elements of two bytes without values: two threads share each word of memory, but no element. This
// is no race.
__global__ void uninitialised_narrow_count(unsigned short *counts) {
  counts[threadIdx.x] = counts[threadIdx.x] + 1; // @add
}

CASE(uninitialised_narrow) {
  uninitialised_narrow_count<<<1, 32>>>(fixed ? array<unsigned short>(32, 0)
                                              : array<unsigned short>(32));
}
