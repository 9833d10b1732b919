// Exercise 00-from-python/blocks-needed: how many blocks cover n elements?
//
// Build: nvcc -O3 -std=c++17 -I. exercises/00-from-python/blocks-needed.cu -o blocks-needed
// Run:   ./blocks-needed

#include "common/verify.hpp"
#include "exercises/00-from-python/blocks-needed.hpp"

#include <cstdio>

int blocks_needed(int n, int block) {
  // TODO 1: n / block, rounded up
  const int blocks = (n + block - 1) / block;
  // TODO end

  return blocks;
}

int main() {
  const int n[] = {1, 255, 256, 257, 1000}, expected[] = {1, 1, 1, 2, 4};
  int got[5];
  for (int i = 0; i < 5; ++i) {
    got[i] = blocks_needed(n[i], 256);
    std::printf("%4d elements: %d blocks of 256\n", n[i], got[i]);
  }
  return course::verdict(course::verify("blocks", got, 5, [&](size_t i) { return expected[i]; }));
}
