// __syncthreads and its forms.
#include "cuda_test.hpp"

namespace {

__global__ void reverse(int *values) {
  __shared__ int tile[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = values[i];
  __syncthreads();
  values[i] = tile[blockDim.x - 1 - threadIdx.x];
}

// Sums a block by halving, with a barrier in the loop.
__global__ void block_sums(const int *values, int *sums) {
  __shared__ int tile[256];
  tile[threadIdx.x] = values[blockIdx.x * blockDim.x + threadIdx.x];
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      tile[threadIdx.x] += tile[threadIdx.x + half];
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = tile[0];
}

// Threads from `alive` on return before the barrier: it waits for the others only.
__global__ void early_return(int *out, unsigned alive) {
  __shared__ int tile[256];
  if (threadIdx.x >= alive)
    return;
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[alive - 1 - threadIdx.x];
}

// One thread leaves at each turn.
// Whole warps leave: lanes that leave one by one wait on a GPU at the end of the loop for the
// others of their warp, which wait at the barrier (seen on an H200).
__global__ void leave_by_warps(int *turns) {
  for (unsigned turn = 0; turn < threadIdx.x / 32; ++turn) {
    ++turns[threadIdx.x];
    __syncthreads();
  }
}

__global__ void votes(const int *predicates, int *count, int *all, int *any) {
  const int predicate = predicates[blockIdx.x * blockDim.x + threadIdx.x];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  count[i] = __syncthreads_count(predicate);
  all[i] = __syncthreads_and(predicate);
  any[i] = __syncthreads_or(predicate);
}

__device__ int rotate(int *tile, int value) {
  tile[threadIdx.x] = value;
  __syncthreads();
  const int next = tile[(threadIdx.x + 1) % blockDim.x];
  __syncthreads();
  return next;
}

// Barriers in a function that is called in a loop: one place, many times.
__global__ void rotations(int *values, int turns) {
  __shared__ int tile[64];
  int value = threadIdx.x;
  for (int i = 0; i < turns; ++i)
    value = rotate(tile, value);
  values[threadIdx.x] = value;
}

// Local variables, floating point and arrays, survive a barrier.
__global__ void locals(double *out) {
  __shared__ double tile[128];
  double a[8], sum = 0;
  for (int i = 0; i < 8; ++i)
    a[i] = threadIdx.x + 0.5 * i;
  tile[threadIdx.x] = a[3];
  __syncthreads();
  for (int i = 0; i < 8; ++i)
    sum += a[i] * tile[(threadIdx.x + i) % blockDim.x];
  out[threadIdx.x] = sum;
}

__global__ void big_local_array(int *out) {
  volatile char local[32 * 1024];
  for (unsigned i = 0; i < sizeof(local); i += 512)
    local[i] = static_cast<char>(threadIdx.x);
  __syncthreads();
  int wrong = 0;
  for (unsigned i = 0; i < sizeof(local); i += 512)
    wrong += local[i] != static_cast<char>(threadIdx.x);
  out[threadIdx.x] = wrong;
}

// Only the blocks with an even number meet the barrier.
__global__ void some_blocks(int *out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  int result = -1;
  if (blockIdx.x % 2 == 0) {
    __syncthreads();
    result = tile[63 - threadIdx.x];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = result;
}

} // namespace

TEST_CASE("barrier: an exchange in many blocks") {
  constexpr int blocks = 300, threads = 256;
  DeviceArray<int> values(counting<int>(blocks * threads));
  reverse<<<blocks, threads>>>(values.data());
  std::vector<int> expected;
  for (int block = 0; block < blocks; ++block)
    for (int i = threads - 1; i >= 0; --i)
      expected.push_back(block * threads + i);
  CHECK(values.host() == expected);
}

TEST_CASE("barrier: in a loop") {
  constexpr int blocks = 50, threads = 256;
  DeviceArray<int> values(counting<int>(blocks * threads)), sums(blocks);
  block_sums<<<blocks, threads>>>(values.data(), sums.data());
  const std::vector<int> found = sums.host();
  for (int block = 0; block < blocks; ++block)
    CHECK(found[block] == threads * threads * block + threads * (threads - 1) / 2);
}

TEST_CASE("barrier: threads that have returned are not waited for") {
  for (unsigned alive : {1u, 31u, 32u, 200u, 256u}) {
    DeviceArray<int> out(256, -1);
    early_return<<<1, 256>>>(out.data(), alive);
    const std::vector<int> found = out.host();
    for (unsigned i = 0; i < 256; ++i)
      CHECK(found[i] == (i < alive ? static_cast<int>(alive - 1 - i) : -1));
  }
}

TEST_CASE("barrier: one warp leaves at each turn") {
  DeviceArray<int> turns(100);
  leave_by_warps<<<1, 100>>>(turns.data());
  CHECK(turns.host() == values_of<int>(100, [](int t) { return t / 32; }));
}

TEST_CASE("barrier: count, and, or") {
  constexpr int threads = 96;
  std::vector<int> predicates(3 * threads, 0); // block 0: none; 1: three, one negative; 2: all
  predicates[threads + 5] = 1;
  predicates[threads + 64] = -7;
  predicates[threads + 95] = 256;
  std::fill(predicates.begin() + 2 * threads, predicates.end(), 2);
  DeviceArray<int> in(predicates), count(3 * threads), all(3 * threads), any(3 * threads);
  votes<<<3, threads>>>(in.data(), count.data(), all.data(), any.data());
  const auto counts = count.host(), alls = all.host(), anys = any.host();
  for (int i = 0; i < 3 * threads; ++i) {
    const int block = i / threads;
    CHECK(counts[i] == (block == 0 ? 0 : block == 1 ? 3 : threads));
    CHECK((alls[i] != 0) == (block == 2));
    CHECK((anys[i] != 0) == (block > 0));
  }
}

TEST_CASE("barrier: in a function, many times") {
  DeviceArray<int> values(64);
  rotations<<<1, 64>>>(values.data(), 1000);
  CHECK(values.host() == values_of<int>(64, [](int i) { return (i + 1000) % 64; }));
}

TEST_CASE("barrier: local variables survive it") {
  DeviceArray<double> out(128);
  locals<<<1, 128>>>(out.data());
  const std::vector<double> found = out.host();
  for (int t = 0; t < 128; ++t) {
    double sum = 0;
    for (int i = 0; i < 8; ++i)
      sum += (t + 0.5 * i) * ((t + i) % 128 + 1.5);
    CHECK(found[t] == sum);
  }
}

TEST_CASE("barrier: 32 KiB of local variables in each thread") {
  DeviceArray<int> out(64, 1);
  big_local_array<<<1, 64>>>(out.data());
  CHECK(out.host() == std::vector<int>(64, 0));
}

TEST_CASE("barrier: some blocks meet it, others do not") {
  DeviceArray<int> out(40 * 64);
  some_blocks<<<40, 64>>>(out.data());
  CHECK(out.host() ==
        values_of<int>(40 * 64, [](int i) { return (i / 64) % 2 == 0 ? 63 - i % 64 : -1; }));
}
