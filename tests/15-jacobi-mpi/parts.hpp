// How the judges of lesson 15 deal out rows or cells to ranks.
#pragma once

#include <numeric>
#include <string>
#include <vector>

namespace course {

// For 1, 2, 3 and 4 ranks two ways to deal out rows, of each rank's number of them: uneven, and
// down to one a rank.
using Parts = std::vector<int>;
inline const std::vector<std::vector<Parts>> all_parts{
    {{1}, {9}}, {{1, 1}, {5, 2}}, {{1, 4, 3}, {2, 1, 1}}, {{1, 1, 1, 1}, {6, 1, 2, 5}}};

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
