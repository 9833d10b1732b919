// CUB's reductions and scans, against loops.
#include "cuda_test.hpp"

#include <cub/cub.cuh>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace {

// Makes CUB's two calls: `call` gets the temporary storage and its size.
template <class Call> void two_calls(const Call &call) {
  std::size_t bytes = 0;
  REQUIRE(call(nullptr, bytes) == cudaSuccess);
  REQUIRE(bytes > 0);
  DeviceArray<char> storage(bytes);
  REQUIRE(call(storage.data(), bytes) == cudaSuccess);
}

// The same where the result is one number: `call` also gets the number's place.
template <class Result, class Call> Result result_of(const Call &call) {
  DeviceArray<Result> out(1);
  two_calls([&](void *storage, std::size_t &bytes) { return call(storage, bytes, out.data()); });
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

} // namespace

TEST_CASE("cub: sums of arrays of many lengths") {
  for (int n : {0, 1, 2, 31, 63, 64, 65, 1000, 1023, 1025, 100003}) {
    CAPTURE(n);
    const std::vector<long long> in = mixed<long long>(n);
    DeviceArray<long long> device(in.empty() ? std::vector<long long>(1) : in);
    long long expected = 0;
    for (long long value : in)
      expected += value;
    CHECK(result_of<long long>([&](void *storage, std::size_t &bytes, long long *out) {
            return cub::DeviceReduce::Sum(storage, bytes, device.data(), out, n);
          }) == expected);
  }
}

TEST_CASE("cub: an operator of one's own starts from its initial value") {
  DeviceArray<long long> device(std::vector<long long>{2, 3, 5, 7});
  const auto product = [&](int n) {
    return result_of<long long>([&](void *storage, std::size_t &bytes, long long *out) {
      return cub::DeviceReduce::Reduce(storage, bytes, device.data(), out, n, Product(), 10LL);
    });
  };
  CHECK(product(4) == 2100);
  CHECK(product(0) == 10);
}

TEST_CASE("cub: work waits in its stream") {
  constexpr int n = 10000;
  const Stream stream;
  DeviceArray<int> device(n);
  REQUIRE(cudaMemsetAsync(device.data(), 1, n * sizeof(int), stream) == cudaSuccess);
  CHECK(result_of<int>([&](void *storage, std::size_t &bytes, int *out) {
          return cub::DeviceReduce::Max(storage, bytes, device.data(), out, n, stream);
        }) == 0x01010101);
}

TEST_CASE("cub: scans") {
  constexpr int n = 3000;
  const std::vector<int> in = mixed<int>(n);
  DeviceArray<int> device(in), out(n);
  two_calls([&](void *storage, std::size_t &bytes) {
    return cub::DeviceScan::InclusiveSum(storage, bytes, device.data(), out.data(), n);
  });
  const std::vector<int> inclusive = out.host();
  two_calls([&](void *storage, std::size_t &bytes) {
    return cub::DeviceScan::ExclusiveSum(storage, bytes, device.data(), out.data(), n);
  });
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
  two_calls([&](void *storage, std::size_t &bytes) {
    return cub::DeviceHistogram::HistogramEven(storage, bytes, device.data(), counts.data(), 8,
                                               -700, 700, 3000);
  });
  CHECK(counts.host() == expected);
}

struct IsPositive {
  __host__ __device__ bool operator()(int value) const { return value > 0; }
};

TEST_CASE("cub: a selection by a predicate") {
  const std::vector<int> in = mixed<int>(3000);
  std::vector<int> expected;
  std::copy_if(in.begin(), in.end(), std::back_inserter(expected), IsPositive());
  DeviceArray<int> device(in), out(3000);
  const int count = result_of<int>([&](void *storage, std::size_t &bytes, int *number) {
    return cub::DeviceSelect::If(storage, bytes, device.data(), out.data(), number, 3000,
                                 IsPositive());
  });
  std::vector<int> selected = out.host();
  selected.resize(count);
  CHECK(selected == expected);
}

__global__ void differences(const int *in, int *left, int *right) {
  using Difference = cub::BlockAdjacentDifference<int, 64>;
  __shared__ Difference::TempStorage storage;
  const auto minus = [](const int &a, const int &b) { return a - b; };
  const int first = 2 * threadIdx.x;
  int values[] = {in[first], in[first + 1]}, result[2];
  Difference(storage).SubtractLeft(values, result, minus);
  left[first] = result[0];
  left[first + 1] = result[1];
  __syncthreads();
  Difference(storage).SubtractRight(values, values, minus);
  right[first] = values[0];
  right[first + 1] = values[1];
}

TEST_CASE("cub: differences of neighbours within a block") {
  const std::vector<int> in = mixed<int>(128);
  DeviceArray<int> device(in), d_left(128), d_right(128);
  differences<<<1, 64>>>(device.data(), d_left.data(), d_right.data());
  const std::vector<int> left = d_left.host(), right = d_right.host();
  for (int i = 0; i < 128; ++i) {
    CHECK(left[i] == in[i] - (i > 0 ? in[i - 1] : 0));
    CHECK(right[i] == in[i] - (i < 127 ? in[i + 1] : 0));
  }
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
  DeviceArray<float> small(n, 0.1f);
  const double sum = result_of<double>([&](void *storage, std::size_t &bytes, double *out) {
    return cub::DeviceReduce::Sum(storage, bytes, small.data(), out, n);
  });
  CHECK(std::abs(sum - n * double(0.1f)) < 1e-9);
}
