// Exercise 11-libraries/hot-cells: the number of cells of a plate that are too hot.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/11-libraries/hot-cells.cu -o hot-cells
// Run:   ./hot-cells

#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/11-libraries/hot-cells.hpp"

#include <cstdio>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <vector>

// An object that is called like a function. Thrust calls it in its kernels.
struct HotterThan {
  float limit;
  __host__ __device__ bool operator()(float degrees) const { return degrees > limit; }
};

int hot_cells(int n, const float *degrees, float limit) {
  const thrust::device_vector<float> cells(degrees, degrees + n);
  int count = -1;

  // TODO 1: for how many of the cells is HotterThan{limit} true?
  count = thrust::count_if(cells.begin(), cells.end(), HotterThan{limit});
  // TODO end

  return count;
}

int main() {
  course::print_device();
  const int n = course::problem_size(10'000'019, 100'003);
  std::vector<float> degrees(n);
  int expected = 0;
  for (int i = 0; i < n; ++i) {
    degrees[i] = i * 37LL % 101;
    expected += degrees[i] > 90;
  }
  const int count = hot_cells(n, degrees.data(), 90);
  if (count == -1) {
    std::puts("no result yet: fill in TODO 1");
    return 1;
  }
  std::printf("%d of %d cells are hotter than 90 degrees\n", count, n);
  return course::verdict(course::verify_value("cells", count, expected));
}
