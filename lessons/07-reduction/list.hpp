// The list that lesson 07 adds: multiples of 2^-24 from 0 to 1, so that a sum in whole numbers is
// exact.
#pragma once

#include <cstdint>
#include <vector>

inline unsigned numerator(unsigned i) { return 2654435761u * (i + 1) >> 8; }
inline float element(unsigned i) { return numerator(i) * 0x1p-24f; }

inline double exact_sum(int n) {
  std::uint64_t sum = 0;
  for (int i = 0; i < n; ++i)
    sum += numerator(i);
  return sum * 0x1p-24;
}

inline std::vector<float> elements(int n) {
  std::vector<float> a(n);
  for (int i = 0; i < n; ++i)
    a[i] = element(i);
  return a;
}
