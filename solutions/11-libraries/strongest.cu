// Exercise 11-libraries/strongest: the strongest wind of each station.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/11-libraries/strongest.cu -o strongest
// Run:   ./strongest
//
// A group-by as in the lesson, but with a maximum instead of a sum.

#include "common/cccl.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/11-libraries/strongest.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cuda/std/functional>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <vector>

int strongest(int n, const int *station, const float *wind, int *stations, float *strongest) {
  thrust::device_vector<int> keys(station, station + n), groups(n);
  thrust::device_vector<float> values(wind, wind + n), maxima(n);
  int found = 0;

  // TODO 1: move the measurements of each station together
  thrust::sort_by_key(keys.begin(), keys.end(), values.begin());
  // TODO end

  // TODO 2: compute one key and one maximum per station, and the number of stations
  const auto ends =
      thrust::reduce_by_key(keys.begin(), keys.end(), values.begin(), groups.begin(),
                            maxima.begin(), cuda::std::equal_to<>(), cuda::maximum<>());
  found = ends.first - groups.begin();
  // TODO end

  thrust::copy(groups.begin(), groups.begin() + found, stations);
  thrust::copy(maxima.begin(), maxima.begin() + found, strongest);
  return found;
}

int main() {
  course::print_device();
  const int n = course::problem_size(1'000'003, 10'007), k = 12;
  std::vector<int> station(n), stations(n);
  std::vector<float> wind(n), maxima(n), expected(k, -INFINITY);
  for (int i = 0; i < n; ++i) {
    station[i] = i * 7LL % 1009 % k;
    wind[i] = i * 31LL % 997 / 10.0f;
    expected[station[i]] = std::max(expected[station[i]], wind[i]);
  }
  const int found = strongest(n, station.data(), wind.data(), stations.data(), maxima.data());
  if (found == 0) {
    std::puts("no result yet: fill in TODO 1 and TODO 2");
    return 1;
  }
  return course::verdict(
      course::verify_value("stations", found, k) &&
      course::verify("station", stations.data(), k, [](size_t i) { return i; }) &&
      course::verify("strongest", maxima.data(), k, [&](size_t i) { return expected[i]; }));
}
