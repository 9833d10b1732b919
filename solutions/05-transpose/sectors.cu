// Exercise 05-transpose/sectors: what does one load of a warp cost?
//
// Build: nvcc -O3 -std=c++17 -I. exercises/05-transpose/sectors.cu -o sectors
// Run:   ./sectors
//
// No kernel runs here: which sectors a warp touches follows from the addresses of its 32 lanes.

#include "common/verify.hpp"
#include "exercises/05-transpose/sectors.hpp"

#include <cstdio>

int sectors(int offset, int stride, int element_bytes) {
  int count = 0;

  // TODO 1: go through the 32 lanes in order; count a sector when its first lane comes
  for (int lane = 0, previous = -1; lane < 32; ++lane) {
    const int sector = (offset + lane * stride) * element_bytes / 32;
    count += sector != previous;
    previous = sector;
  }
  // TODO end

  return count;
}

int main() {
  struct Request {
    const char *what;
    int offset, stride, element_bytes, expected;
  };
  const Request requests[] = {{"32 floats side by side", 0, 1, 4, 4},
                              {"the same, one float further", 1, 1, 4, 5},
                              {"every second float", 0, 2, 4, 8},
                              {"a column of a matrix of 1000 floats a row", 0, 1000, 4, 32},
                              {"one float for all lanes", 17, 0, 4, 1},
                              {"32 doubles side by side", 0, 1, 8, 8},
                              {"32 float4 side by side", 0, 1, 16, 16}};
  bool correct = true;
  for (const auto &[what, offset, stride, element_bytes, expected] : requests) {
    const int got = sectors(offset, stride, element_bytes);
    if (got == 0) {
      std::puts("no result yet: fill in TODO 1");
      return EXIT_FAILURE;
    }
    std::printf("%-43s %2d sectors\n", what, got);
    correct = course::verify_value(what, got, expected) && correct;
  }
  return course::verdict(correct);
}
