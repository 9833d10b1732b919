// CUB: sorts, selections and runs of whole arrays, beside the host's own algorithms.
#include "cuda_test.hpp"

#include <algorithm>
#include <cub/cub.cuh>
#include <map>
#include <numeric>
#include <random>

namespace {

// Both calls of a CUB function: the first says how many bytes of storage the second one needs.
template <class Call> void run_cub(const Call &call) {
  std::size_t bytes = 0;
  REQUIRE(call(nullptr, bytes) == cudaSuccess);
  REQUIRE(bytes > 0);
  DeviceArray<char> storage(bytes);
  REQUIRE(call(storage.data(), bytes) == cudaSuccess);
  require_finished();
}

template <class T> std::vector<T> random_values(int n) {
  std::mt19937_64 engine(n);
  std::vector<T> values(n);
  for (T &value : values)
    value = static_cast<T>(static_cast<long long>(engine() % 2001) - 1000);
  return values;
}

template <class T> std::vector<T> first(const DeviceArray<T> &array, int count) {
  std::vector<T> values = array.host();
  values.resize(count);
  return values;
}

} // namespace

template <class T> void sorts_keys() {
  for (int n : {0, 1, 777}) {
    std::vector<T> host = random_values<T>(n);
    DeviceArray<T> in(host), out(n);
    run_cub([&](void *storage, std::size_t &bytes) {
      return cub::DeviceRadixSort::SortKeys(storage, bytes, in.data(), out.data(), n);
    });
    CHECK(in.host() == host);
    std::sort(host.begin(), host.end());
    CHECK(out.host() == host);
    run_cub([&](void *storage, std::size_t &bytes) {
      return cub::DeviceRadixSort::SortKeysDescending(storage, bytes, in.data(), out.data(), n);
    });
    std::reverse(host.begin(), host.end());
    CHECK(out.host() == host);
  }
}

TEST_CASE("cub: radix sort of keys of all kinds") {
  sorts_keys<int>();
  sorts_keys<unsigned>();
  sorts_keys<long long>();
  sorts_keys<unsigned char>();
  sorts_keys<short>();
  sorts_keys<float>();
  sorts_keys<double>();
}

TEST_CASE("cub: radix sort of pairs is stable, up and down") {
  const int n = 1000;
  std::vector<int> keys = random_values<int>(n), places(n), expected(n);
  for (int &key : keys)
    key %= 10;
  std::iota(places.begin(), places.end(), 0);
  DeviceArray<int> keys_in(keys), keys_out(n), values_in(places), values_out(n);
  run_cub([&](void *storage, std::size_t &bytes) {
    return cub::DeviceRadixSort::SortPairs(storage, bytes, keys_in.data(), keys_out.data(),
                                           values_in.data(), values_out.data(), n);
  });
  expected = places;
  std::stable_sort(expected.begin(), expected.end(),
                   [&](int a, int b) { return keys[a] < keys[b]; });
  CHECK(values_out.host() == expected);
  run_cub([&](void *storage, std::size_t &bytes) {
    return cub::DeviceRadixSort::SortPairsDescending(
        storage, bytes, keys_in.data(), keys_out.data(), values_in.data(), values_out.data(), n);
  });
  expected = places;
  std::stable_sort(expected.begin(), expected.end(),
                   [&](int a, int b) { return keys[a] > keys[b]; });
  CHECK(values_out.host() == expected);
  for (int i = 0; i < n; ++i)
    REQUIRE(keys_out.host()[i] == keys[expected[i]]);
}

TEST_CASE("cub: radix sort by some of the bits, and in two buffers") {
  const std::vector<unsigned> host = {0x31, 0x12, 0x21, 0x10, 0x32};
  DeviceArray<unsigned> a(host), b(5);
  cub::DoubleBuffer<unsigned> keys(a.data(), b.data());
  run_cub([&](void *storage, std::size_t &bytes) {
    return cub::DeviceRadixSort::SortKeys(storage, bytes, keys, 5, 4, 8);
  });
  const std::vector<unsigned> got = keys.Current() == a.data() ? a.host() : b.host();
  CHECK(got == std::vector<unsigned>{0x12, 0x10, 0x21, 0x31, 0x32});
}

TEST_CASE("cub: zeros of either sign are equal keys; infinities are the ends") {
  const std::vector<float> host = {0.0f, -0.0f, INFINITY, -1.0f, 0.0f, -INFINITY, 1e-40f};
  const int n = static_cast<int>(host.size());
  DeviceArray<float> keys_in(host), keys_out(n);
  DeviceArray<int> values_in(counting<int>(n)), values_out(n);
  run_cub([&](void *storage, std::size_t &bytes) {
    return cub::DeviceRadixSort::SortPairs(storage, bytes, keys_in.data(), keys_out.data(),
                                           values_in.data(), values_out.data(), n);
  });
  CHECK(values_out.host() == std::vector<int>{5, 3, 0, 1, 4, 6, 2});
}

struct FirstLetterLess {
  __host__ __device__ bool operator()(int a, int b) const { return a / 100 < b / 100; }
};

TEST_CASE("cub: merge sort by a comparison, stable") {
  const int n = 700;
  std::vector<int> host = random_values<int>(n), expected = host;
  std::stable_sort(expected.begin(), expected.end(), FirstLetterLess());
  DeviceArray<int> keys(host), again(host), values(counting<int>(n));
  run_cub([&](void *storage, std::size_t &bytes) {
    return cub::DeviceMergeSort::StableSortKeys(storage, bytes, keys.data(), n, FirstLetterLess());
  });
  CHECK(keys.host() == expected);
  run_cub([&](void *storage, std::size_t &bytes) {
    return cub::DeviceMergeSort::SortPairs(storage, bytes, again.data(), values.data(), n,
                                           FirstLetterLess());
  });
  const std::vector<int> order = values.host(), sorted = again.host();
  for (int i = 0; i < n; ++i) {
    REQUIRE(host[order[i]] == sorted[i]);
    REQUIRE((i == 0 || !FirstLetterLess()(sorted[i], sorted[i - 1])));
  }
}

struct IsEven {
  __host__ __device__ bool operator()(int i) const { return i % 2 == 0; }
};

TEST_CASE("cub: selections by a predicate, by flags, of the first of equal neighbours") {
  for (int n : {0, 1, 555}) {
    std::vector<int> host = random_values<int>(n), expected;
    for (int &value : host)
      value /= 300;
    DeviceArray<int> in(host), out(n), count(1, -1);
    run_cub([&](void *storage, std::size_t &bytes) {
      return cub::DeviceSelect::If(storage, bytes, in.data(), out.data(), count.data(), n,
                                   IsEven());
    });
    std::copy_if(host.begin(), host.end(), std::back_inserter(expected), IsEven());
    CHECK(first(out, count.host()[0]) == expected);

    std::vector<char> flags(n);
    for (int i = 0; i < n; ++i)
      flags[i] = IsEven()(host[i]);
    DeviceArray<char> d_flags(flags);
    DeviceArray<int> by_flags(n);
    run_cub([&](void *storage, std::size_t &bytes) {
      return cub::DeviceSelect::Flagged(storage, bytes, in.data(), d_flags.data(), by_flags.data(),
                                        count.data(), n);
    });
    CHECK(first(by_flags, count.host()[0]) == expected);

    run_cub([&](void *storage, std::size_t &bytes) {
      return cub::DeviceSelect::Unique(storage, bytes, in.data(), out.data(), count.data(), n);
    });
    expected = host;
    expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
    CHECK(first(out, count.host()[0]) == expected);
  }
}

struct Larger {
  __host__ __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};

TEST_CASE("cub: lengths of runs, and a reduction by key") {
  const std::vector<int> keys = {4, 4, 4, -1, 4, 7, 7}, values = {1, 9, 2, -5, 3, -8, -7};
  DeviceArray<int> d_keys(keys), d_values(values), groups(7), lengths(7), largest(7), runs(1);
  run_cub([&](void *storage, std::size_t &bytes) {
    return cub::DeviceRunLengthEncode::Encode(storage, bytes, d_keys.data(), groups.data(),
                                              lengths.data(), runs.data(), 7);
  });
  REQUIRE(runs.host()[0] == 4);
  CHECK(first(groups, 4) == std::vector<int>{4, -1, 4, 7});
  CHECK(first(lengths, 4) == std::vector<int>{3, 1, 1, 2});
  run_cub([&](void *storage, std::size_t &bytes) {
    return cub::DeviceReduce::ReduceByKey(storage, bytes, d_keys.data(), groups.data(),
                                          d_values.data(), largest.data(), runs.data(), Larger(),
                                          7);
  });
  REQUIRE(runs.host()[0] == 4);
  CHECK(first(largest, 4) == std::vector<int>{9, -5, 3, -7});
}
