// Algorithms of CUB and Thrust that public programs call and no lesson does.
#include <cub/cub.cuh>
#include <stdio.h>
#include <thrust/device_vector.h>
#include <thrust/distance.h>
#include <thrust/for_each.h>
#include <thrust/remove.h>
#include <thrust/scan.h>

struct Larger {
  __host__ __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};
struct Negate {
  __host__ __device__ void operator()(int &x) const { x = -x; }
};

// The first of the results of a CUB algorithm, called twice: for the size of its memory, and to
// work.
template <class Algorithm> int first_of(Algorithm algorithm) {
  size_t bytes = 0;
  void *memory = nullptr;
  thrust::device_vector<int> out(5);
  algorithm(memory, bytes, thrust::raw_pointer_cast(out.data()));
  cudaMalloc(&memory, bytes);
  algorithm(memory, bytes, thrust::raw_pointer_cast(out.data()));
  cudaFree(memory);
  return out[0] + 100 * out[4];
}

int main() {
  const int numbers[] = {3, 1, 4, 1, 5}, keys_of[] = {1, 1, 2, 2, 2};
  thrust::device_vector<int> values(numbers, numbers + 5), keys(keys_of, keys_of + 5), sums(5);
  const int *in = thrust::raw_pointer_cast(values.data());
  int wrong = 0;
  const auto check = [&](const char *call, bool right) {
    if (!right)
      printf("wrong: %s\n", call);
    wrong += !right;
  };
  check("Max", first_of([=](void *m, size_t &n, int *out) {
                 cub::DeviceReduce::Max(m, n, in, out, 5);
               }) == 5);
  check("Min", first_of([=](void *m, size_t &n, int *out) {
                 cub::DeviceReduce::Min(m, n, in, out, 5);
               }) == 1);
  check("Reduce", first_of([=](void *m, size_t &n, int *out) {
                    cub::DeviceReduce::Reduce(m, n, in, out, 5, Larger(), 4);
                  }) == 5);
  check("ExclusiveScan", first_of([=](void *m, size_t &n, int *out) {
                           cub::DeviceScan::ExclusiveScan(m, n, in, out, Larger(), 2, 5);
                         }) == 402);
  check("InclusiveScan", first_of([=](void *m, size_t &n, int *out) {
                           cub::DeviceScan::InclusiveScan(m, n, in, out, Larger(), 5);
                         }) == 503);
  thrust::inclusive_scan_by_key(keys.begin(), keys.end(), values.begin(), sums.begin());
  check("inclusive_scan_by_key", sums[1] == 4 && sums[4] == 10);
  thrust::exclusive_scan(values.begin(), values.end(), sums.begin());
  check("exclusive_scan", sums[0] == 0 && sums[4] == 9);
  thrust::for_each(sums.begin(), sums.end(), Negate());
  check("for_each", sums[4] == -9);
  const auto end = thrust::remove(values.begin(), values.end(), 1);
  check("remove", thrust::distance(values.begin(), end) == 3 && values[1] == 4);
  puts(wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
