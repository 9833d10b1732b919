// Kaplan and Meier's estimate, straight from its definition, for the judges of this lesson.
#pragma once

#include <map>
#include <utility>
#include <vector>

// The first time at which the share of those still waiting is at most 1 - share; -1: at none.
inline double kaplan_meier(const std::vector<int> &waited, const std::vector<int> &started,
                           double share) {
  std::map<int, std::pair<int, int>> of_time; // who leaves then, and who of them starts
  for (std::size_t i = 0; i < waited.size(); ++i) {
    ++of_time[waited[i]].first;
    of_time[waited[i]].second += started[i];
  }
  long double longer = 1;
  std::size_t at_risk = waited.size();
  for (const auto &[time, jobs] : of_time) {
    longer *= 1 - static_cast<long double>(jobs.second) / at_risk;
    if (jobs.second > 0 && longer <= 1 - share)
      return time;
    at_risk -= jobs.first;
  }
  return -1;
}
