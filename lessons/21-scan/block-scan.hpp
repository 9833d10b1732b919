// The running sums of a warp and of a block, as functions that all of its threads call.
// A block has whole warps.
#pragma once

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
