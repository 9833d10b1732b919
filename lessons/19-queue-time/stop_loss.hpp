// How long to wait for the better partition before the run goes to the other one.
#pragma once

#include "lessons/19-queue-time/options.hpp"
#include "lessons/19-queue-time/waits.hpp"

#include <vector>

// Giving up after `wait` seconds, and the mean time until the run is done that follows.
struct GiveUp {
  double wait, total;
};

// [stop_loss]
// The mean time to the result for each time to give up: 0, and after each wait that has occurred.
// A run that gives up after t seconds has lost t, and takes `otherwise` seconds from then on.
inline std::vector<GiveUp> give_up_times(const Histogram &waits, double run, double otherwise) {
  std::vector<GiveUp> times{{0, otherwise}};
  double started = 0, sum = 0; // jobs that have started by then, and their waits and runs
  waits.each([&](double wait, double jobs) {
    started += jobs;
    sum += jobs * (wait + run);
    const double left = double(waits.count()) - started;
    times.push_back({wait, (sum + left * (wait + otherwise)) / double(waits.count())});
  });
  return times;
}
// [end]

// What suits the jobs of one class. Giving up includes the other partition's own queue: its median.
struct Advice {
  std::vector<GiveUp> times;
  GiveUp best{};    // the first of the least totals
  double never = 0; // the total of who never gives up
};

inline Advice advise(const StopLoss &runs, const Histogram &wait_for,
                     const Histogram &give_up_for) {
  Advice advice;
  advice.times = give_up_times(wait_for, runs.wait_for_seconds,
                               give_up_for.percentile(0.5) + runs.give_up_for_seconds);
  advice.best = advice.times.front();
  for (const GiveUp &one : advice.times)
    if (one.total < advice.best.total)
      advice.best = one;
  advice.never = advice.times.back().total;
  return advice;
}
