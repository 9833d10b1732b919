// How the judges of lesson 15 deal out rows or cells to ranks.
#pragma once

#include "common/grader/judge/judge.hpp"

#include <numeric>
#include <string>
#include <vector>

namespace course {

// One rank, two, a few, and as many as there may be.
inline std::vector<int> rank_counts(Judge &judge) { return {judge.number(3, 4), 1, 2, 11}; }

using Parts = std::vector<int>; // of each rank the number of its rows

// For the calls of one case: uneven ones, larger ones, the same again, and one per rank.
inline std::vector<Parts> parts_of_calls(Judge &judge, int ranks) {
  Parts few(ranks), many(ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    few[rank] = judge.number(1, 5);
    many[rank] = judge.number(6, 40);
  }
  return {few, many, many, Parts(ranks, 1)};
}

inline std::string title(int ranks) {
  return std::to_string(ranks) + (ranks == 1 ? " rank" : " ranks");
}

inline int sum(const Parts &parts) { return std::accumulate(parts.begin(), parts.end(), 0); }

// The part of a list from element `first` on.
template <class T>
std::vector<T> part_of(const std::vector<T> &list, std::size_t first, std::size_t count) {
  return {list.begin() + first, list.begin() + first + count};
}

} // namespace course
