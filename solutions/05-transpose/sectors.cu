// Exercise 05-transpose/sectors: how many sectors does one request of a warp touch?
//
// Build: nvcc -O3 -std=c++17 -I. exercises/05-transpose/sectors.cu -o sectors
// Run:   ./sectors
//
// No kernel runs here: the sectors follow from the addresses of the 32 lanes.

#include "common/verify.hpp"
#include "exercises/05-transpose/sectors.hpp"

#include <cstdio>

int sectors(int offset, int stride, int element_bytes) {
  int count = 0;

  // TODO 1: go through the 32 lanes in order; count every sector once
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
  const Request requests[] = {{"32 neighbouring floats", 0, 1, 4, 4},
                              {"the same, shifted by one float", 1, 1, 4, 5},
                              {"every second float", 0, 2, 4, 8},
                              {"a column of a matrix with 1000 floats per row", 0, 1000, 4, 32},
                              {"the same float for all lanes", 17, 0, 4, 1},
                              {"32 neighbouring doubles", 0, 1, 8, 8},
                              {"32 neighbouring float4", 0, 1, 16, 16}};
  bool correct = true;
  for (const auto &[what, offset, stride, element_bytes, expected] : requests) {
    const int got = sectors(offset, stride, element_bytes);
    if (got == 0) {
      std::puts("no result yet: fill in TODO 1");
      return 1;
    }
    std::printf("%-46s %2d sectors\n", what, got);
    correct = course::verify_value(what, got, expected) && correct;
  }
  return course::verdict(correct);
}
