// Thrust: sorts, groups and selections, the iterators that go with them, and random numbers.
#include "cuda_test.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/distance.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/pair.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>

namespace {

// n numbers from 0 to most, the same ones in each run.
std::vector<int> drawn(int n, int most) {
  std::mt19937 engine(n);
  std::vector<int> numbers(n);
  for (int &number : numbers)
    number = static_cast<int>(engine() % (most + 1));
  return numbers;
}

template <class T> std::vector<T> on_host(const thrust::device_vector<T> &device) {
  std::vector<T> host(device.size());
  thrust::copy(device.begin(), device.end(), host.begin());
  return host;
}

} // namespace

struct ByLastDigit {
  __host__ __device__ bool operator()(int a, int b) const { return a % 10 < b % 10; }
};

struct SameTens {
  __host__ __device__ bool operator()(int a, int b) const { return a / 10 == b / 10; }
};

struct IsPositive {
  __host__ __device__ bool operator()(int i) const { return i > 0; }
};

struct Dot {
  __host__ __device__ float operator()(const thrust::tuple<float, float> &pair) const {
    return thrust::get<0>(pair) * thrust::get<1>(pair);
  }
};

using SumAndCount = thrust::tuple<long, int>;
struct AddBoth {
  __host__ __device__ SumAndCount operator()(const SumAndCount &a, const SumAndCount &b) const {
    return SumAndCount(thrust::get<0>(a) + thrust::get<0>(b),
                       thrust::get<1>(a) + thrust::get<1>(b));
  }
};

TEST_CASE("thrust: a group-by by sorting") {
  for (int n : {0, 1, 2, 1000}) {
    const std::vector<int> keys = drawn(n, 40);
    std::map<int, std::pair<long, int>> expected;
    for (int i = 0; i < n; ++i) {
      expected[keys[i]].first += 3 * i;
      ++expected[keys[i]].second;
    }
    thrust::device_vector<int> d_keys(keys.begin(), keys.end()), groups(n), counts(n);
    thrust::device_vector<long> values(n), sums(n);
    const thrust::counting_iterator<int> numbers(0);
    thrust::transform(numbers, numbers + n, thrust::constant_iterator<int>(3), values.begin(),
                      thrust::multiplies<long>());
    thrust::sort_by_key(d_keys.begin(), d_keys.end(), values.begin());
    const auto ends = thrust::reduce_by_key(d_keys.begin(), d_keys.end(), values.begin(),
                                            groups.begin(), sums.begin());
    thrust::reduce_by_key(d_keys.begin(), d_keys.end(), thrust::constant_iterator<int>(1),
                          thrust::make_discard_iterator(), counts.begin());
    REQUIRE(ends.first - groups.begin() == static_cast<long>(expected.size()));
    REQUIRE(ends.second - sums.begin() == static_cast<long>(expected.size()));
    std::map<int, std::pair<long, int>> got;
    for (std::size_t i = 0; i < expected.size(); ++i)
      got[groups[i]] = {sums[i], counts[i]};
    CHECK(got == expected);
  }
}

TEST_CASE("thrust: equal neighbours make a group, equal keys that are apart do not") {
  const std::vector<int> host = {5, 5, 7, 5, 5, 5};
  thrust::device_vector<int> keys(host.begin(), host.end()), groups(6), counts(6);
  const auto ends =
      thrust::reduce_by_key(thrust::device, keys.begin(), keys.end(),
                            thrust::constant_iterator<int>(1), groups.begin(), counts.begin());
  CHECK(ends.first - groups.begin() == 3);
  CHECK(std::vector<int>{groups[0], groups[1], groups[2]} == std::vector<int>{5, 7, 5});
  CHECK(std::vector<int>{counts[0], counts[1], counts[2]} == std::vector<int>{2, 1, 3});
}

TEST_CASE("thrust: reduce_by_key with an equality and an operator of one's own") {
  const std::vector<int> host_keys = {11, 12, 25, 21, 30}, host_values = {4, 9, -1, -5, 0};
  thrust::device_vector<int> keys(host_keys.begin(), host_keys.end()),
      values(host_values.begin(), host_values.end()), groups(5), largest(5);
  const auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), values.begin(), groups.begin(),
                                          largest.begin(), SameTens(), thrust::maximum<int>());
  REQUIRE(ends.second - largest.begin() == 3);
  // Which key stands for a group? By Thrust's documentation the first one; a GPU gives the last.
  for (int i = 0; i < 3; ++i)
    CHECK(groups[i] / 10 == i + 1);
  CHECK(std::vector<int>{largest[0], largest[1], largest[2]} == std::vector<int>{9, -1, 0});
}

TEST_CASE("thrust: sums and counts in one pass, as tuples") {
  const std::vector<int> host_keys = {1, 1, 1, 2, 4, 4};
  const std::vector<long> host_values = {10, 20, 30, 5, 7, 8};
  thrust::device_vector<int> keys(host_keys.begin(), host_keys.end()), groups(6), counts(6);
  thrust::device_vector<long> values(host_values.begin(), host_values.end()), sums(6);
  const auto in = thrust::make_zip_iterator(
      thrust::make_tuple(values.begin(), thrust::constant_iterator<int>(1)));
  const auto out = thrust::make_zip_iterator(thrust::make_tuple(sums.begin(), counts.begin()));
  const auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), in, groups.begin(), out,
                                          thrust::equal_to<int>(), AddBoth());
  REQUIRE(ends.first - groups.begin() == 3);
  CHECK(std::vector<long>{sums[0], sums[1], sums[2]} == std::vector<long>{60, 5, 15});
  CHECK(std::vector<int>{counts[0], counts[1], counts[2]} == std::vector<int>{3, 1, 2});
}

TEST_CASE("thrust: a stable sort by key, on the device and on the host") {
  std::vector<int> expected = drawn(500, 10000), host = expected, values = expected;
  thrust::device_vector<int> device(host.begin(), host.end()), d_values = device;
  std::stable_sort(expected.begin(), expected.end(), ByLastDigit());
  thrust::stable_sort_by_key(device.begin(), device.end(), d_values.begin(), ByLastDigit());
  CHECK(on_host(d_values) == expected);
  thrust::stable_sort_by_key(host.begin(), host.end(), values.begin(), ByLastDigit());
  CHECK(values == expected);
}

TEST_CASE("thrust: keys of two arrays are sorted as tuples") {
  const std::vector<int> years = {2024, 2023, 2024, 2023}, months = {3, 11, 1, 2};
  thrust::device_vector<int> d_years(years.begin(), years.end()),
      d_months(months.begin(), months.end());
  const auto dates =
      thrust::make_zip_iterator(thrust::make_tuple(d_years.begin(), d_months.begin()));
  thrust::sort(dates, dates + 4);
  CHECK(on_host(d_years) == std::vector<int>{2023, 2023, 2024, 2024});
  CHECK(on_host(d_months) == std::vector<int>{2, 11, 1, 3});
}

TEST_CASE("thrust: copy_if, and the places of what it copies") {
  const std::vector<int> host = drawn(300, 3);
  std::vector<int> expected;
  thrust::device_vector<int> device(host.begin(), host.end()), selected(300), numbers(300);
  std::copy_if(host.begin(), host.end(), std::back_inserter(expected), IsPositive());
  selected.resize(thrust::copy_if(device.begin(), device.end(), selected.begin(), IsPositive()) -
                  selected.begin());
  CHECK(on_host(selected) == expected);

  // Their positions.
  const thrust::counting_iterator<int> places(0);
  numbers.resize(thrust::copy_if(thrust::device, places, places + 300, device.begin(),
                                 numbers.begin(), IsPositive()) -
                 numbers.begin());
  REQUIRE(numbers.size() == expected.size());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    CHECK(host[numbers[i]] == expected[i]);
}

TEST_CASE("thrust: zip and reverse iterators read what lies behind them") {
  const int n = 100;
  std::vector<float> a(n), b(n);
  float expected = 0;
  for (int i = 0; i < n; ++i) {
    a[i] = i;
    b[i] = 2 * i + 1;
    expected += a[i] * b[i];
  }
  thrust::device_vector<float> d_a(a.begin(), a.end()), d_b(b.begin(), b.end());
  const auto pairs = thrust::make_zip_iterator(thrust::make_tuple(d_a.begin(), d_b.begin()));
  CHECK(thrust::transform_reduce(pairs, pairs + n, Dot(), 0.0f, thrust::plus<float>()) == expected);

  thrust::copy(d_b.rbegin(), d_b.rend(), d_a.begin());
  CHECK(d_a[0] == 2 * n - 1);
  CHECK(d_a[n - 1] == 1);
}

struct Draw {
  __host__ __device__ float operator()(unsigned i) const {
    thrust::default_random_engine engine(1);
    engine.discard(i);
    return thrust::uniform_real_distribution<float>(-1, 3)(engine);
  }
};

TEST_CASE("thrust: random numbers are those of Thrust") {
  thrust::default_random_engine engine;
  std::minstd_rand reference; // the same formula
  for (int i = 0; i < 1000; ++i)
    REQUIRE(engine() == reference());
  engine.discard(1'000'000);
  reference.discard(1'000'000);
  CHECK(engine() == reference());
  CHECK(thrust::minstd_rand(0)() == 48271);

  // As the Thrust of CUDA 13.0 gives them.
  thrust::minstd_rand seeded(7);
  thrust::uniform_real_distribution<float> real(-1, 3);
  for (float expected : {-0x1.ffad82p-1f, 0x1.618338p+0f, -0x1.4c0948p-3f})
    CHECK(real(seeded) == expected);
  thrust::uniform_real_distribution<double> share;
  for (double expected : {0x1.ee23a707b88eap-3, 0x1.8d273a76349cfp-1, 0x1.4fb23fad3ec9p-2})
    CHECK(share(seeded) == expected);
  thrust::uniform_int_distribution<int> dice(1, 6);
  for (int expected : {4, 5, 6, 2, 4, 6, 1, 5})
    CHECK(dice(seeded) == expected);

  thrust::device_vector<float> device(1000);
  const thrust::counting_iterator<unsigned> numbers(0);
  thrust::transform(numbers, numbers + 1000, device.begin(), Draw());
  for (int i : {0, 1, 500, 999})
    CHECK(device[i] == Draw()(i));
}

TEST_CASE("thrust: an end of each iterator that is made of the end of its list") {
  const thrust::device_vector<int> a = drawn(1000, 50), b = drawn(1000, 70);
  const auto positive = [](auto i) { return thrust::make_transform_iterator(i, IsPositive()); };
  int count = 0;
  for (int i = 0; i < 1000; ++i)
    count += a[i] > 0;
  CHECK(thrust::reduce(positive(a.begin()), positive(a.end()), 0) == count);
  CHECK(thrust::distance(positive(a.begin()), positive(a.end())) == 1000);
  std::vector<char> on_the_host(1000);
  CHECK(thrust::copy(positive(a.begin()), positive(a.end()), on_the_host.begin()) ==
        on_the_host.end());
  CHECK(std::count(on_the_host.begin(), on_the_host.end(), 1) == count);

  thrust::device_vector<int> c(1000), d(1000);
  const auto end =
      thrust::copy(thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin())),
                   thrust::make_zip_iterator(thrust::make_tuple(a.end(), b.end())),
                   thrust::make_zip_iterator(thrust::make_tuple(c.begin(), d.begin())));
  CHECK((end == thrust::make_zip_iterator(thrust::make_tuple(c.end(), d.end()))));
  CHECK((c == a && d == b));

  CHECK(thrust::reduce(thrust::counting_iterator<int>(3), thrust::counting_iterator<int>(7)) == 18);
}

TEST_CASE("thrust: the address of an element") {
  thrust::device_vector<int> list = drawn(10, 50);
  const thrust::device_vector<int> &same = list;
  CHECK(thrust::raw_pointer_cast(&list[3]) == thrust::raw_pointer_cast(list.data()) + 3);
  CHECK(thrust::raw_pointer_cast(&same[3]) == thrust::raw_pointer_cast(same.data()) + 3);
}

TEST_CASE("thrust: remove, the first of each key, the place behind a value") {
  thrust::device_vector<int> list = std::vector<int>{0, 4, 0, 0, 2, 1};
  list.resize(thrust::remove(list.begin(), list.end(), 0) - list.begin());
  CHECK(on_host(list) == std::vector<int>{4, 2, 1});

  const thrust::device_vector<int> keys = std::vector<int>{5, 5, 7, 5, 5, 5, 9},
                                   values = std::vector<int>{1, 2, 3, 4, 5, 6, 7};
  thrust::device_vector<int> k(4), v(4);
  const auto ends =
      thrust::unique_by_key_copy(keys.begin(), keys.end(), values.begin(), k.begin(), v.begin());
  CHECK((ends.first == k.end() && ends.second == v.end()));
  CHECK(on_host(k) == std::vector<int>{5, 7, 5, 9});
  CHECK(on_host(v) == std::vector<int>{1, 3, 4, 7});
  CHECK(thrust::upper_bound(values.begin(), values.end(), 3) - values.begin() == 3);
}

TEST_CASE("thrust: scans by key begin anew with each key") {
  const thrust::device_vector<int> keys = std::vector<int>{5, 5, 7, 7, 7, 5},
                                   values = std::vector<int>{1, 2, 3, 1, 5, 6};
  thrust::device_vector<int> sums(6), maxima(6);
  CHECK(thrust::inclusive_scan_by_key(keys.begin(), keys.end(), values.begin(), sums.begin()) ==
        sums.end());
  CHECK(on_host(sums) == std::vector<int>{1, 3, 3, 4, 9, 6});
  thrust::inclusive_scan_by_key(keys.begin(), keys.end(), values.begin(), maxima.begin(),
                                thrust::equal_to<int>(), thrust::maximum<int>());
  CHECK(on_host(maxima) == std::vector<int>{1, 2, 3, 3, 5, 6});
}
