// Lesson 21: the running sums of a warp, of a block and of chunks of an array.
#pragma once

constexpr int BLOCK = 1024; // threads per block

// [warp-scan]
inline __device__ int warp_scan(int x) { // lane k returns the sum of lanes 0 to k
  const int lane = threadIdx.x % 32;
  for (int step = 1; step < 32; step *= 2) {
    const int left = __shfl_up_sync(0xffffffff, x, step); // lane k reads lane k - step
    if (lane >= step)
      x += left;
  }
  return x;
}
// [end]

// For blocks of whole warps, up to 32.
// [block-scan]
inline __device__ int block_scan(int x, int &total) { // thread t returns the sum of threads 0 to t
  __shared__ int sums[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  x = warp_scan(x);
  if (lane == 31)
    sums[warp] = x; // the sum of this warp
  __syncthreads();
  if (warp == 0)
    sums[lane] = warp_scan(lane < int(blockDim.x) / 32 ? sums[lane] : 0); // warps 0 to lane
  __syncthreads();
  x += warp > 0 ? sums[warp - 1] : 0;
  total = sums[31];
  __syncthreads(); // all threads have read the sums before the next call writes them
  return x;
}
// [end]

// Each block scans its chunk of the array. before[b] is the sum of chunks 0 to b.
// [scan-chunks]
__global__ void scan_chunks(const int *in, int *out, int n, int chunk, const int *before) {
  const int begin = blockIdx.x * chunk, end = min(begin + chunk, n);
  int carry = blockIdx.x > 0 ? before[blockIdx.x - 1] : 0;
  for (int tile = begin; tile < end; tile += BLOCK) { // the same number of rounds in all threads
    const int i = tile + threadIdx.x;
    int total;
    const int sum = block_scan(i < end ? in[i] : 0, total);
    if (i < end)
      out[i] = carry + sum;
    carry += total;
  }
}
// [end]

// [sum-chunks]
__global__ void sum_chunks(const int *in, int n, int chunk, int *sums) {
  const int begin = blockIdx.x * chunk, end = min(begin + chunk, n);
  int mine = 0, total;
  for (int i = begin + threadIdx.x; i < end; i += BLOCK)
    mine += in[i];
  block_scan(mine, total);
  if (threadIdx.x == 0)
    sums[blockIdx.x] = total;
}
// [end]
