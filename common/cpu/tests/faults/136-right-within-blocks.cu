// Right programs that do what faulty ones look like: within blocks, and the simpler ones between
// them.
#include "cases.hpp"

// case ping_pong
// expect: nothing
// Two buffers in shared memory: one barrier for each step is enough.
__global__ void diffusion(const float *in, float *out) {
  __shared__ float s[2][66];
  const int t = threadIdx.x;
  s[0][t + 1] = in[t];
  if (t < 2)
    s[t][0] = s[t][65] = 0;
  for (int step = 0; step < 5; ++step) {
    __syncthreads();
    s[(step + 1) % 2][t + 1] = (s[step % 2][t] + s[step % 2][t + 2]) / 2;
  }
  out[t] = s[1][t + 1];
}

CASE(ping_pong) { diffusion<<<1, 64>>>(array<float>(64, 0), array<float>(64)); }

// case tile_with_halo
// expect: nothing
// A stencil over tiles with their halo, at the edges of an uneven field, too.
__global__ void five_points(const float *in, float *out, int nx, int ny) {
  __shared__ float s[10][18];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x0 = blockIdx.x * 16 - 1, y0 = blockIdx.y * 8 - 1;
  for (int i = ty * 16 + tx; i < 10 * 18; i += 128) {
    const int x = x0 + i % 18, y = y0 + i / 18;
    s[i / 18][i % 18] = x >= 0 && x < nx && y >= 0 && y < ny ? in[y * nx + x] : 0;
  }
  __syncthreads();
  const int x = x0 + 1 + tx, y = y0 + 1 + ty;
  if (x < nx && y < ny)
    out[y * nx + x] = (s[ty][tx + 1] + s[ty + 2][tx + 1] + s[ty + 1][tx] + s[ty + 1][tx + 2]) / 4;
}

CASE(tile_with_halo) {
  five_points<<<dim3(3, 3), dim3(16, 8)>>>(array<float>(37 * 19, 0), array<float>(37 * 19), 37, 19);
}

// case segmented_scan
// expect: nothing
// Sums that begin anew at each flag.
__global__ void segments(const int *in, const int *begins, int *out) {
  __shared__ int s[64], flag[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  flag[t] = begins[t];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    int value = s[t], begin = flag[t];
    if (t >= d && !begin) {
      value += s[t - d];
      begin = flag[t - d];
    }
    __syncthreads();
    s[t] = value;
    flag[t] = begin;
    __syncthreads();
  }
  out[t] = s[t];
}

CASE(segmented_scan) { segments<<<1, 64>>>(array<int>(64, 0), array<int>(64, 0), array<int>(64)); }

// case bitonic_sort
// expect: nothing
// Pairs change from step to step, and a barrier stands between the steps.
__global__ void bitonic(int *values) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = values[t];
  for (int size = 2; size <= 128; size *= 2)
    for (int d = size / 2; d > 0; d /= 2) {
      __syncthreads();
      const int other = t ^ d;
      if (other > t) {
        const bool up = (t & size) == 0;
        const int a = s[t], b = s[other];
        if ((a > b) == up) {
          s[t] = b;
          s[other] = a;
        }
      }
    }
  __syncthreads();
  values[t] = s[t];
}

CASE(bitonic_sort) { bitonic<<<1, 128>>>(array<int>(128, 0)); }

// case radix_pass
// expect: nothing
// One digit of a radix sort: flags, their scan, and a scatter within the block.
__global__ void split(int *values) {
  __shared__ int s[64], ones[64];
  const int t = threadIdx.x;
  int value = values[t];
  for (int bit = 0; bit < 3; ++bit) {
    const int one = value >> bit & 1;
    ones[t] = one;
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
      const int other = t >= d ? ones[t - d] : 0;
      __syncthreads();
      ones[t] += other;
      __syncthreads();
    }
    const int zeros = 64 - ones[63];
    s[one ? zeros + ones[t] - 1 : t - ones[t]] = value;
    __syncthreads();
    value = s[t];
  }
  values[t] = value;
}

CASE(radix_pass) {
  int *values = array<int>(64, 0);
  std::vector<int> host(64);
  for (int i = 0; i < 64; ++i)
    host[i] = i * 5 % 8;
  cudaMemcpy(values, host.data(), 64 * sizeof(int), cudaMemcpyHostToDevice);
  split<<<1, 64>>>(values);
}

// case private_histograms
// expect: nothing
// Atomics in shared memory, then atomics in global memory.
__global__ void counts(const unsigned char *in, int *bins, int n) {
  __shared__ int own[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    own[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&own[in[i]], 1);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    if (own[i] > 0)
      atomicAdd(&bins[i], own[i]);
}

CASE(private_histograms) {
  counts<<<3, 96>>>(array<unsigned char>(1000, 7), array<int>(256, 0), 1000);
}

// case neighbouring_bytes
// expect: nothing
// Threads write bytes of the same words: each its own.
__global__ void bytes(unsigned char *out) {
  __shared__ unsigned char s[64];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  out[64 * blockIdx.x + t] = s[63 - t];
  if (t % 2 == 0)
    reinterpret_cast<unsigned short *>(out + 256)[32 * blockIdx.x + t / 2] = t;
}

CASE(neighbouring_bytes) { bytes<<<3, 64>>>(array<unsigned char>(1024)); }

// case matched_lanes
// expect: nothing
// Lanes with the same key form groups, and each group's leader adds for it.
__global__ void keyed(const int *keys, int *bins) {
  const int t = threadIdx.x, key = keys[t] + t % 5;
  const unsigned equal = __match_any_sync(0xffffffff, key);
  if (t % 32 == __ffs(equal) - 1)
    atomicAdd(&bins[key], __popc(equal));
}

CASE(matched_lanes) { keyed<<<1, 96>>>(array<int>(96, 0), array<int>(5, 0)); }

// case buffered_tiles
// expect: nothing
// A product with two tiles in turn: the next one is loaded while this one is used.
__global__ void matmul(const float *a, const float *b, float *c, int n) {
  __shared__ float as[2][8][8], bs[2][8][8];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 8 + ty,
            col = blockIdx.x * 8 + tx;
  as[0][ty][tx] = a[row * n + tx];
  bs[0][ty][tx] = b[ty * n + col];
  float sum = 0;
  for (int k = 0; k < n / 8; ++k) {
    __syncthreads();
    if (k + 1 < n / 8) {
      as[(k + 1) % 2][ty][tx] = a[row * n + 8 * (k + 1) + tx];
      bs[(k + 1) % 2][ty][tx] = b[(8 * (k + 1) + ty) * n + col];
    }
    for (int i = 0; i < 8; ++i)
      sum += as[k % 2][ty][i] * bs[k % 2][i][tx];
  }
  c[row * n + col] = sum;
}

CASE(buffered_tiles) {
  float *a = array<float>(1024, 0), *b = array<float>(1024, 0), *c = array<float>(1024);
  matmul<<<dim3(4, 4), dim3(8, 8)>>>(a, b, c, 32);
}

// case steps_of_a_warp
// expect: nothing
// A warp reduces in shared memory: a __syncwarp between each read and each write.
__global__ void warp_tree(const int *in, int *out) {
  __shared__ int s[4][32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int sum = s[warp][lane] = in[threadIdx.x];
  __syncwarp();
  for (int d = 16; d > 0; d /= 2) {
    const int other = s[warp][lane ^ d];
    __syncwarp();
    s[warp][lane] = sum += other;
    __syncwarp();
  }
  if (lane == 0)
    out[warp] = s[warp][31];
}

CASE(steps_of_a_warp) { warp_tree<<<1, 128>>>(array<int>(128, 0), array<int>(4)); }

// case warp_aggregates
// expect: nothing
// One atomic operation for all lanes of a warp that have something to store.
__global__ void filtered(const int *in, int *out, int *count, int n) {
  const int i = blockIdx.x * 64 + threadIdx.x, lane = threadIdx.x % 32;
  const bool keep = i < n && in[i] + i % 3 > 0;
  const unsigned votes = __ballot_sync(0xffffffff, keep);
  if (keep) {
    const int leader = __ffs(votes) - 1;
    int first = 0;
    if (lane == leader)
      first = atomicAdd(count, __popc(votes));
    first = __shfl_sync(votes, first, leader);
    out[first + __popc(votes & ((1u << lane) - 1))] = i;
  }
}

CASE(warp_aggregates) {
  filtered<<<4, 64>>>(array<int>(200, 0), array<int>(200), array<int>(1, 0), 200);
}

// case work_queue
// expect: nothing
// Blocks take the next piece of work when they have done one.
__global__ void workers(int *next, int pieces, int *out) {
  __shared__ int piece;
  while (true) {
    if (threadIdx.x == 0)
      piece = atomicAdd(next, 1);
    __syncthreads();
    const int mine = piece;
    __syncthreads();
    if (mine >= pieces)
      break;
    out[mine * blockDim.x + threadIdx.x] = mine;
  }
}

CASE(work_queue) { workers<<<3, 32>>>(array<int>(1, 0), 20, array<int>(20 * 32)); }

// case producer_and_consumer
// expect: nothing
// Kernels of one stream need nothing between them.
__global__ void produce(int *a, int step) { a[threadIdx.x] = step; }
__global__ void consume(const int *a, int *sum) { sum[threadIdx.x] += a[63 - threadIdx.x]; }

CASE(producer_and_consumer) {
  int *a = array<int>(64), *sum = array<int>(64, 0);
  for (int step = 0; step < 3; ++step) {
    produce<<<1, 64>>>(a, step);
    consume<<<1, 64>>>(a, sum);
  }
}
