// Exercise 11-libraries/shares: a bug hunt. The share of each wind farm in the total energy.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/11-libraries/shares.cu -o shares
// Run:   ./shares
//
// All Thrust calls compile and run without an error, but there are two bugs.

#include "common/cccl.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/11-libraries/shares.hpp"

#include <cstdio>
#include <cuda/std/functional>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <vector>

int shares(int n, const int *farm, const double *energy, int *farms, double *share) {
  thrust::device_vector<int> keys(farm, farm + n), groups(n);
  thrust::device_vector<double> values(energy, energy + n), sums(n);

  // TODO 1: find the bug: what is the type of the sum?
  const double total = thrust::reduce(values.begin(), values.end(), 0.0);
  // TODO end

  // TODO 2: find the bug: which elements form a group?
  thrust::sort_by_key(keys.begin(), keys.end(), values.begin());
  const auto ends =
      thrust::reduce_by_key(keys.begin(), keys.end(), values.begin(), groups.begin(), sums.begin());
  // TODO end

  thrust::transform(sums.begin(), ends.second, cuda::constant_iterator<double>(total), sums.begin(),
                    cuda::std::divides<>());
  thrust::copy(groups.begin(), ends.first, farms);
  thrust::copy(sums.begin(), ends.second, share);
  return ends.first - groups.begin();
}

int main() {
  course::print_device();
  const int n = 10'000, k = 4;
  std::vector<int> farm(n), farms(n);
  std::vector<double> energy(n), share(n), expected(k);
  double total = 0;
  for (int i = 0; i < n; ++i) {
    farm[i] = i * 7 % 101 % k;
    energy[i] = 0.25 + i % 13 / 8.0;
    expected[farm[i]] += energy[i];
    total += energy[i];
  }
  const int found = shares(n, farm.data(), energy.data(), farms.data(), share.data());
  std::printf("%d farms; farm %d has %.2f %% of the energy\n", found, farms[0], 100 * share[0]);
  return course::verdict(
      course::verify_value("farms", found, k) &&
      course::verify(
          "share", share.data(), k, [&](size_t i) { return expected[i] / total; }, 1e-12));
}
