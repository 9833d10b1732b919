// CUB's reductions and scans, against loops.
#include "cuda_test.hpp"

#include <cub/cub.cuh>

#include <cmath>
#include <limits>
#include <thrust/device_vector.h>

// ArgMax and ArgMin in the form that every CUB of CUDA 12 has; CUDA 13 calls it deprecated.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace {

// Makes CUB's two calls: `call` gets the temporary storage, its size, and where the result goes.
template <class Result, class Call> Result two_calls(const Call &call) {
  DeviceArray<Result> out(1);
  std::size_t bytes = 0;
  REQUIRE(call(nullptr, bytes, out.data()) == cudaSuccess);
  REQUIRE(bytes > 0);
  DeviceArray<char> storage(bytes);
  REQUIRE(call(storage.data(), bytes, out.data()) == cudaSuccess);
  return out.host()[0];
}

// Small integers in an order that no pattern explains.
template <class T> std::vector<T> mixed(std::size_t n) {
  std::vector<T> values(n);
  unsigned state = 12345;
  for (T &value : values) {
    state = 1664525 * state + 1013904223;
    value = static_cast<T>(static_cast<int>(state >> 20) - 2000);
  }
  return values;
}

struct Product {
  __host__ __device__ long long operator()(long long a, long long b) const { return a * b; }
};

template <int threads> __global__ void sum_blocks(const int *in, int *out, int valid) {
  using BlockReduce = cub::BlockReduce<int, threads>;
  __shared__ typename BlockReduce::TempStorage storage;
  const int sum = BlockReduce(storage).Sum(in[blockIdx.x * threads + threadIdx.x]);
  __syncthreads();
  const int part = BlockReduce(storage).Sum(in[blockIdx.x * threads + threadIdx.x], valid);
  if (threadIdx.x == 0) {
    out[2 * blockIdx.x] = sum;
    out[2 * blockIdx.x + 1] = part;
  }
}

struct Largest {
  __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

template <int lanes> __global__ void reduce_warps(const int *in, int *sums, int *maxima) {
  using WarpReduce = cub::WarpReduce<int, lanes>;
  __shared__ typename WarpReduce::TempStorage storage[128 / lanes];
  WarpReduce reduce(storage[threadIdx.x / lanes]);
  const int sum = reduce.Sum(in[threadIdx.x]);
  __syncwarp();
  const int maximum = reduce.Reduce(in[threadIdx.x], Largest());
  if (threadIdx.x % lanes == 0) {
    sums[threadIdx.x / lanes] = sum;
    maxima[threadIdx.x / lanes] = maximum;
  }
}

template <int lanes> void check_warps() {
  const std::vector<int> in = mixed<int>(128);
  DeviceArray<int> device(in), sums(128 / lanes), maxima(128 / lanes);
  reduce_warps<lanes><<<1, 128>>>(device.data(), sums.data(), maxima.data());
  const std::vector<int> found_sums = sums.host(), found_maxima = maxima.host();
  for (int group = 0; group < 128 / lanes; ++group) {
    int sum = 0, maximum = std::numeric_limits<int>::lowest();
    for (int i = group * lanes; i < (group + 1) * lanes; ++i) {
      sum += in[i];
      maximum = std::max(maximum, in[i]);
    }
    CAPTURE(lanes, group);
    CHECK(found_sums[group] == sum);
    CHECK(found_maxima[group] == maximum);
  }
}

} // namespace

TEST_CASE("cub: sums of arrays of many lengths") {
  for (int n : {0, 1, 2, 31, 63, 64, 65, 1000, 1023, 1025, 100003}) {
    CAPTURE(n);
    const std::vector<long long> in = mixed<long long>(n);
    DeviceArray<long long> device(in.empty() ? std::vector<long long>(1) : in);
    long long expected = 0;
    for (long long value : in)
      expected += value;
    CHECK(two_calls<long long>([&](void *storage, std::size_t &bytes, long long *out) {
            return cub::DeviceReduce::Sum(storage, bytes, device.data(), out, n);
          }) == expected);
  }
}

TEST_CASE("cub: extremes and where they are") {
  std::vector<int> in = mixed<int>(5000);
  in[1234] = in[4000] = 99999; // twice: the first counts
  in[77] = in[78] = -99999;
  DeviceArray<int> device(in);
  const int n = static_cast<int>(in.size());
  CHECK(two_calls<int>([&](void *storage, std::size_t &bytes, int *out) {
          return cub::DeviceReduce::Max(storage, bytes, device.data(), out, n);
        }) == 99999);
  CHECK(two_calls<int>([&](void *storage, std::size_t &bytes, int *out) {
          return cub::DeviceReduce::Min(storage, bytes, device.data(), out, n);
        }) == -99999);
  using Pair = cub::KeyValuePair<int, int>;
  const Pair largest = two_calls<Pair>([&](void *storage, std::size_t &bytes, Pair *out) {
    return cub::DeviceReduce::ArgMax(storage, bytes, device.data(), out, n);
  });
  CHECK(largest.key == 1234);
  CHECK(largest.value == 99999);
  const Pair smallest = two_calls<Pair>([&](void *storage, std::size_t &bytes, Pair *out) {
    return cub::DeviceReduce::ArgMin(storage, bytes, device.data(), out, n);
  });
  CHECK(smallest.key == 77);
  CHECK(smallest.value == -99999);
}

TEST_CASE("cub: an operator of one's own starts from its initial value") {
  DeviceArray<long long> device(std::vector<long long>{2, 3, 5, 7});
  const auto product = [&](int n) {
    return two_calls<long long>([&](void *storage, std::size_t &bytes, long long *out) {
      return cub::DeviceReduce::Reduce(storage, bytes, device.data(), out, n, Product(), 10LL);
    });
  };
  CHECK(product(4) == 2100);
  CHECK(product(0) == 10);
}

#if CUDART_VERSION >= 12090
TEST_CASE("cub: an extreme and its index, each in its place") {
  std::vector<float> in = mixed<float>(3001);
  in[2000] = in[2001] = 9999;
  in[5] = in[3000] = -9999;
  DeviceArray<float> device(in), value(1);
  DeviceArray<long long> index(1);
  const auto n = static_cast<long long>(in.size());
  std::size_t bytes = 0, more = 0;
  REQUIRE(cub::DeviceReduce::ArgMax(nullptr, bytes, device.data(), value.data(), index.data(), n) ==
          cudaSuccess);
  REQUIRE(cub::DeviceReduce::ArgMin(nullptr, more, device.data(), value.data(), index.data(), n) ==
          cudaSuccess);
  DeviceArray<char> storage(std::max(bytes, more));
  REQUIRE(cub::DeviceReduce::ArgMax(storage.data(), bytes, device.data(), value.data(),
                                    index.data(), n) == cudaSuccess);
  CHECK(value.host()[0] == 9999);
  CHECK(index.host()[0] == 2000);
  REQUIRE(cub::DeviceReduce::ArgMin(storage.data(), more, device.data(), value.data(), index.data(),
                                    n) == cudaSuccess);
  CHECK(value.host()[0] == -9999);
  CHECK(index.host()[0] == 5);
}

struct Square {
  __host__ __device__ double operator()(float x) const { return static_cast<double>(x) * x; }
};

struct Add {
  __host__ __device__ double operator()(double a, double b) const { return a + b; }
};

TEST_CASE("cub: a sum of squares of floats, in double") {
  for (int n : {1, 2, 257, 100003}) {
    CAPTURE(n);
    const std::vector<float> in = mixed<float>(n);
    DeviceArray<float> device(in);
    double expected = 0.5;
    for (float value : in)
      expected += static_cast<double>(value) * value; // whole numbers: exact in any order
    CHECK(two_calls<double>([&](void *storage, std::size_t &bytes, double *out) {
            return cub::DeviceReduce::TransformReduce(storage, bytes, device.data(), out, n, Add(),
                                                      Square(), 0.5);
          }) == expected);
  }
}
#endif

TEST_CASE("cub: work waits in its stream") {
  constexpr int n = 10000;
  DeviceArray<int> device(n), out(1);
  cudaStream_t stream;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaMemsetAsync(device.data(), 1, n * sizeof(int), stream) == cudaSuccess);
  std::size_t bytes = 0;
  REQUIRE(cub::DeviceReduce::Max(nullptr, bytes, device.data(), out.data(), n, stream) ==
          cudaSuccess);
  DeviceArray<char> storage(bytes);
  REQUIRE(cub::DeviceReduce::Max(storage.data(), bytes, device.data(), out.data(), n, stream) ==
          cudaSuccess);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(out.host()[0] == 0x01010101);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

TEST_CASE("cub: scans") {
  constexpr int n = 3000;
  const std::vector<int> in = mixed<int>(n);
  DeviceArray<int> device(in), out(n);
  std::size_t bytes = 0;
  REQUIRE(cub::DeviceScan::InclusiveSum(nullptr, bytes, device.data(), out.data(), n) ==
          cudaSuccess);
  DeviceArray<char> storage(bytes);
  REQUIRE(cub::DeviceScan::InclusiveSum(storage.data(), bytes, device.data(), out.data(), n) ==
          cudaSuccess);
  const std::vector<int> inclusive = out.host();
  std::size_t more = 0;
  REQUIRE(cub::DeviceScan::ExclusiveSum(nullptr, more, device.data(), out.data(), n) ==
          cudaSuccess);
  DeviceArray<char> larger(more);
  REQUIRE(cub::DeviceScan::ExclusiveSum(larger.data(), more, device.data(), out.data(), n) ==
          cudaSuccess);
  const std::vector<int> exclusive = out.host();
  int sum = 0, wrong = 0;
  for (int i = 0; i < n; ++i) {
    wrong += exclusive[i] != sum;
    sum += in[i];
    wrong += inclusive[i] != sum;
  }
  CHECK(wrong == 0);
}

TEST_CASE("cub: a histogram of bins of equal width, without the samples outside") {
  const std::vector<int> in = mixed<int>(3000); // -2000 to 2095
  std::vector<int> expected(7);
  for (int value : in)
    if (value >= -700 && value < 700)
      ++expected[(value + 700) / 200];
  DeviceArray<int> device(in), counts(7, -1);
  std::size_t bytes = 0;
  const auto count = [&](void *storage) {
    REQUIRE(cub::DeviceHistogram::HistogramEven(storage, bytes, device.data(), counts.data(), 8,
                                                -700, 700, 3000) == cudaSuccess);
  };
  count(nullptr);
  DeviceArray<char> storage(bytes);
  count(storage.data());
  CHECK(counts.host() == expected);
}

TEST_CASE("cub: sums within blocks") {
  const std::vector<int> in = mixed<int>(3 * 128);
  DeviceArray<int> device(in), out(6);
  sum_blocks<128><<<3, 128>>>(device.data(), out.data(), 50);
  const std::vector<int> found = out.host();
  for (int block = 0; block < 3; ++block) {
    int sum = 0, part = 0;
    for (int i = 0; i < 128; ++i) {
      sum += in[block * 128 + i];
      part += i < 50 ? in[block * 128 + i] : 0;
    }
    CHECK(found[2 * block] == sum);
    CHECK(found[2 * block + 1] == part);
  }
}

template <int threads> __global__ void sum_four_each(const int *in, int *out) {
  using BlockReduce = cub::BlockReduce<int, threads>;
  __shared__ typename BlockReduce::TempStorage storage;
  int values[4];
  for (int i = 0; i < 4; ++i)
    values[i] = in[(blockIdx.x * 4 + i) * threads + threadIdx.x];
  const int sum = BlockReduce(storage).Sum(values);
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}

TEST_CASE("cub: sums within blocks, of several values a thread") {
  const std::vector<int> in = mixed<int>(2 * 4 * 96);
  DeviceArray<int> device(in), out(2);
  sum_four_each<96><<<2, 96>>>(device.data(), out.data());
  const std::vector<int> found = out.host();
  for (int block = 0; block < 2; ++block) {
    int sum = 0;
    for (int i = 0; i < 4 * 96; ++i)
      sum += in[block * 4 * 96 + i];
    CHECK(found[block] == sum);
  }
}

TEST_CASE("cub: reductions within warps and parts of warps") {
  check_warps<32>();
  check_warps<16>();
  check_warps<4>();
}

template <int threads> __global__ void scan_blocks(const int *in, int *out, int *aggregates) {
  using BlockScan = cub::BlockScan<int, threads>;
  __shared__ typename BlockScan::TempStorage storage;
  const int i = blockIdx.x * threads + threadIdx.x;
  int exclusive, inclusive, aggregate;
  BlockScan(storage).ExclusiveSum(in[i], exclusive);
  __syncthreads();
  BlockScan(storage).InclusiveSum(in[i], inclusive, aggregate);
  __syncthreads();
  out[i] = exclusive * 1000 + inclusive;
  aggregates[i] = aggregate;
}

template <int threads> __global__ void scan_items(const int *in, int *out, int *largest) {
  using BlockScan = cub::BlockScan<int, threads, cub::BLOCK_SCAN_WARP_SCANS>;
  __shared__ typename BlockScan::TempStorage storage;
  int values[3];
  for (int k = 0; k < 3; k++)
    values[k] = in[threadIdx.x * 3 + k];
  int most[3];
  const auto larger = [](int a, int b) { return a < b ? b : a; };
  BlockScan(storage).InclusiveScan(values, most, larger);
  __syncthreads();
  BlockScan(storage).ExclusiveSum(values, values);
  for (int k = 0; k < 3; k++) {
    out[threadIdx.x * 3 + k] = values[k];
    largest[threadIdx.x * 3 + k] = most[k];
  }
}

TEST_CASE("cub: scans within blocks") {
  std::vector<int> in(128);
  for (std::size_t i = 0; i < in.size(); i++)
    in[i] = static_cast<int>(i * 7 % 5);
  DeviceArray<int> d_in(in), d_out(128), d_aggregates(128);
  scan_blocks<64><<<2, 64>>>(d_in.data(), d_out.data(), d_aggregates.data());
  const std::vector<int> out = d_out.host(), aggregates = d_aggregates.host();
  for (std::size_t block = 0, i = 0; block < 2; block++) {
    int sum = 0;
    for (std::size_t k = 0; k < 64; k++, i++) {
      CHECK(out[i] == sum * 1000 + sum + in[i]);
      sum += in[i];
    }
    CHECK(aggregates[i - 1] == sum);
    CHECK(aggregates[i - 64] == sum);
  }
  DeviceArray<int> d_items(96), d_largest(96);
  scan_items<32><<<1, 32>>>(d_in.data(), d_items.data(), d_largest.data());
  const std::vector<int> items = d_items.host(), largest = d_largest.host();
  int sum = 0, most = in[0];
  for (std::size_t i = 0; i < 96; i++) {
    most = std::max(most, in[i]);
    CHECK(items[i] == sum);
    CHECK(largest[i] == most);
    sum += in[i];
  }
}

__global__ void sum_without_storage(const int *in, int *out) {
  const int sum = cub::BlockReduce<int, 64>().Sum(in[threadIdx.x]);
  if (threadIdx.x == 0)
    *out = sum;
}

TEST_CASE("cub: a block's sum in storage of its own") {
  DeviceArray<int> in(counting<int>(64)), out(1);
  sum_without_storage<<<1, 64>>>(in.data(), out.data());
  CHECK(out.host()[0] == 2016);
}

TEST_CASE("cub: a sum has the type of its result") {
  const int n = 3000;
  const thrust::device_vector<float> small(n, 0.1f);
  thrust::device_vector<double> sum(1);
  size_t bytes = 0;
  const float *in = thrust::raw_pointer_cast(small.data());
  double *out = thrust::raw_pointer_cast(sum.data());
  REQUIRE(cub::DeviceReduce::Sum(nullptr, bytes, in, out, n) == cudaSuccess);
  thrust::device_vector<char> storage(bytes);
  REQUIRE(cub::DeviceReduce::Sum(thrust::raw_pointer_cast(storage.data()), bytes, in, out, n) ==
          cudaSuccess);
  CHECK(std::abs(sum[0] - n * double(0.1f)) < 1e-9);
}
