// Kaplan and Meier's estimate, straight from its definition, for the judges of this lesson.
#pragma once

#include <set>
#include <vector>

// The first time at which the share of those still waiting is at most 1 - share; -1: at none.
inline double kaplan_meier(const std::vector<int> &waited, const std::vector<int> &started,
                           double share) {
  std::multiset<int> all(waited.begin(), waited.end()), starts;
  for (std::size_t i = 0; i < waited.size(); ++i)
    if (started[i])
      starts.insert(waited[i]);
  long double longer = 1;
  for (auto at = starts.begin(); at != starts.end(); at = starts.upper_bound(*at)) {
    const auto at_risk = std::distance(all.lower_bound(*at), all.end());
    longer *= 1 - static_cast<long double>(starts.count(*at)) / at_risk;
    if (longer <= 1 - share)
      return *at;
  }
  return -1;
}
