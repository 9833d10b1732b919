// Exercise 03-add-list/axpby: y = a x + b y, in place and in five steps.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/03-add-list/axpby.cu -o axpby
// Run:   ./axpby
//
// y is both input and output, so it is copied in both directions.

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/03-add-list/axpby.hpp"

#include <cstdio>
#include <vector>

__global__ void combine(int n, float a, const float *x, float b, float *y) {
  // TODO 1: compute the new value of this thread's element, with a guard
  // TODO end
}

void axpby(int n, float a, const float *x, float b, float *y) {
  const size_t bytes = n * sizeof(float);
  float *d_x = nullptr, *d_y = nullptr;

  // TODO 2: allocate device memory for both arrays
  // TODO end

  // TODO 3: copy both arrays to the device
  // TODO end

  // TODO 4: launch one thread per element, and check the launch
  // TODO end

  // TODO 5: copy the result to the host
  // TODO end

  // TODO 6: free the device memory
  // TODO end
}

int main() {
  course::print_device();
  const int n = 1000003;
  const float a = 2, b = -0.5f;
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; ++i) {
    x[i] = i % 1000;
    y[i] = i % 77;
  }
  bool correct = true;
  for (int count : {n, n / 2}) { // the second call must not change the second half of y
    const std::vector<float> before = y;
    axpby(count, a, x.data(), b, y.data());
    if (y == before) {
      std::puts("no result yet: fill in TODO 1 to TODO 6");
      return 1;
    }
    correct = course::verify("y", y.data(), n,
                             [&](size_t i) {
                               return int(i) < count ? a * x[i] + b * before[i] : before[i];
                             }) &&
              correct;
  }
  return course::verdict(correct);
}
