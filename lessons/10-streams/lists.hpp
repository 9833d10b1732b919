// What the programs of lesson 10 share: the elements of their lists, and whether there is room.
#pragma once

#include "common/check.hpp"
#include "common/verify.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

// Element i of the lists: so uneven that a mixed-up index shows.
inline float value_a(int i) { return ((2654435761u * i) >> 8) * 0x1p-24f; }
inline float value_b(int i) { return ((2246822519u * i) >> 8) * 0x1p-20f; }

// Whether c is a + b. Leaves NaN there, so that a stale result cannot pass.
inline bool verify_and_clear(const char *what, float *c, int n) {
  const bool correct =
      course::verify(what, c, n, [](std::size_t i) { return value_a(int(i)) + value_b(int(i)); });
  std::fill(c, c + n, NAN);
  return correct;
}

// Says how much the device has free, and ends the program where three lists of n floats are more.
inline void expect_room(const char *program, int n) {
  const std::size_t bytes = n * sizeof(float);
  std::size_t free_bytes = 0, total_bytes = 0;
  CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  std::printf("3 lists of %d floats: %.2f GB; free on the device: %.2f of %.2f GB\n\n", n,
              3e-9 * bytes, 1e-9 * free_bytes, 1e-9 * total_bytes);
  if (3 * bytes <= free_bytes)
    return;
  std::fflush(stdout);
  std::fprintf(stderr, "%s: n = %d needs more memory than the device has free; try %zu or less\n",
               program, n, free_bytes / (3 * sizeof(float)));
  std::exit(EXIT_FAILURE);
}
