// How long to wait for the better partition before the run goes to the other one.
#pragma once

#include "lessons/19-queue-time/forecast.hpp"
#include "lessons/19-queue-time/options.hpp"

#include <algorithm>
#include <vector>

// Giving up after `wait` seconds, and the mean time until the run is done that follows.
struct GiveUp {
  double wait, total;
};

// [stop_loss]
// The mean time to the result for each time to give up: 0, and after each wait that has occurred.
// A run that gives up after t seconds has lost t, and takes `otherwise` seconds from then on.
inline std::vector<GiveUp> give_up_times(const Outlook &waits, double run, double otherwise) {
  std::vector<GiveUp> times{{0, otherwise}};
  double done = 0; // the sum over the shares that have started: share * (wait + run)
  waits.each([&](double wait, double share, double still_waiting) {
    done += share * (wait + run);
    times.push_back({wait, done + still_waiting * (wait + otherwise)});
  });
  return times;
}
// [end]

// The mean time until a run is done that never gives up: as if those that have not started by the
// longest known wait started then. If there are any, it is longer.
inline Wait never_giving_up(const Outlook &waits, double run) {
  return {give_up_times(waits, run, run).back().total, waits.percentile(1).or_longer};
}

// What suits the jobs of one class.
struct Advice {
  std::vector<GiveUp> times;
  GiveUp best;  // the first of the least totals
  Wait at_once; // to the other partition, with its own queue
  Wait never;

  bool to_give_up() const { return never.or_longer || best.total < never.seconds; }
};

inline Advice advise(const StopLoss &runs, const Outlook &wait_for, const Outlook &give_up_for) {
  const Wait at_once = never_giving_up(give_up_for, runs.give_up_for_seconds);
  const std::vector<GiveUp> times = give_up_times(wait_for, runs.wait_for_seconds, at_once.seconds);
  const auto best =
      std::min_element(times.begin(), times.end(),
                       [](const GiveUp &a, const GiveUp &b) { return a.total < b.total; });
  return {times, *best, at_once, never_giving_up(wait_for, runs.wait_for_seconds)};
}
