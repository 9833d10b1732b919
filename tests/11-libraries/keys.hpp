// Keys of groups that use all bits of an int.
#pragma once

#include "common/grader/judge/judge.hpp"

// In order, two neighbours differ by 2^26, and are the same in 16 bits, or by 1, and are the same
// as floats; half of them are negative, and the difference of two is often none of an int.
inline std::vector<int> wide_keys(course::Judge &judge, int n) {
  std::vector<int> keys(n);
  for (int &key : keys) {
    const int far = judge.number(-31, 31);
    key = far * (1 << 26) + (far % 2 == 0 ? 0 : judge.number(0, 1));
  }
  return keys;
}
