// Exercise 14-multi-gpu/my-share: a warm-up. Which elements belong to which GPU?
//
// Build: nvcc -O3 -std=c++17 -I. exercises/14-multi-gpu/my-share.cu -o my-share
// Run:   ./my-share

#include "common/verify.hpp"
#include "exercises/14-multi-gpu/my-share.hpp"

#include <algorithm>
#include <cstdio>

Share my_share(int n, int gpus, int gpu) {
  // TODO 1: count the elements of this GPU, and the elements of all GPUs before it
  const int count = n, first = 0;
  // TODO end
  return {first, count};
}

int main() {
  // Every share must begin where the previous one ends.
  const int n = 11, gpus = 4;
  bool correct = true;
  int end = 0;
  for (int gpu = 0; gpu < gpus; ++gpu) {
    const Share mine = my_share(n, gpus, gpu);
    std::printf("GPU %d of %d: %d elements, from element %d on\n", gpu, gpus, mine.count,
                mine.first);
    correct = course::verify_value("first element", mine.first, end) && correct;
    end = mine.first + mine.count;
  }
  return course::verdict(course::verify_value("elements of all GPUs", end, n) && correct);
}
