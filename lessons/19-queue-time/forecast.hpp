// How long will a job wait? A forecast from the last days, as far as these are known; and a
// back-test: the same for days that are over, beside what came.
#pragma once

#include "lessons/19-queue-time/waits.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

struct Wait {
  double seconds;
  bool or_longer; // more is not known
};

// Waits as they are known at some time: of the jobs that have started, and of those that have not,
// or were cancelled. These would have waited longer than they did by then.
struct Outlook {
  Histogram started, cut_short;

  bool empty() const { return started.count() + cut_short.count() == 0; }

  // [percentile]
  // The wait that `share` of the jobs do not exceed (Kaplan and Meier's estimate): who has waited
  // for as long as a bin starts within it with the probability started / at risk. With nobody cut
  // short this is the percentile of those that started.
  Wait percentile(double share) const {
    double at_risk = double(started.count() + cut_short.count()), still_waiting = 1, last = 0;
    each_bin(started, cut_short, [&](double wait, double starts, double leaves) {
      if (still_waiting > 1 - share) {
        still_waiting *= 1 - starts / at_risk;
        at_risk -= starts + leaves;
        last = wait;
      }
    });
    return {last, still_waiting > 1 - share};
  }
  // [end]
};

// [outlook]
// What is known when `day` begins of the jobs that became eligible in the last `window` days with
// jobs. Who starts on `day` or later still waits, for about as long as since noon of its own day.
inline Outlook outlook(const History &history, int day, int window) {
  Outlook known;
  const auto end = history.cohorts.lower_bound(day);
  if (end == history.cohorts.begin())
    return known;
  const int last = std::prev(end)->first;
  for (auto it = history.cohorts.upper_bound(last - window); it != end; ++it) {
    const auto &[eligible, cohort] = *it;
    const long long age = (day - eligible) * ::day - ::day / 2;
    known.cut_short.add(age, cohort.waiting);
    for (const auto &[start, waits] : cohort.started)
      if (start < day)
        known.started += waits;
      else
        known.cut_short.add(age, std::uint32_t(waits.count()));
    for (const auto &[cancel, waits] : cohort.cancelled)
      if (cancel < day)
        known.cut_short += waits;
      else
        known.cut_short.add(age, std::uint32_t(waits.count()));
  }
  return known;
}
// [end]

// Today like yesterday: the waits of the jobs that started on the last day before `day` on which
// any did.
inline Outlook yesterday(const History &history, int day) {
  const auto end = history.by_start.lower_bound(day);
  return {end == history.by_start.begin() ? Histogram{} : std::prev(end)->second, {}};
}

// How good forecasts were. Waits range from seconds to days, so an error is a ratio: a forecast of
// 2 hours is as wrong for a wait of 1 hour as for one of 4. A minute is added to each, so that
// seconds against minutes count little.
struct Score {
  double log_error = 0; // sum over jobs of |log(came / forecast)|
  double inside = 0;    // jobs whose wait lies between the forecast's 10 % and 90 %
  double jobs = 0;

  double factor() const { return std::exp(log_error / jobs); } // by which a forecast is wrong
  double coverage() const { return inside / jobs; }            // 0.8 where the range is right
};

// The score of forecast(history, day) for the jobs of all partitions and classes that became
// eligible on days first to last - 1, and have started. Only days with a yesterday count, so that
// all forecasts are about the same jobs.
template <class Forecast>
Score back_test(const Partitions &partitions, int first, int last, Forecast forecast) {
  Score score;
  for (const auto &[name, partition] : partitions)
    for (const History &history : partition)
      for (auto it = history.cohorts.lower_bound(first);
           it != history.cohorts.end() && it->first < last; ++it) {
        const auto &[day, cohort] = *it;
        if (cohort.started.empty() || yesterday(history, day).started.count() == 0)
          continue;
        const Outlook known = forecast(history, day);
        const double low = known.percentile(0.1).seconds, high = known.percentile(0.9).seconds;
        const double middle = known.percentile(0.5).seconds;
        for (const auto &[start, waits] : cohort.started)
          waits.each([&](double wait, double jobs) {
            score.log_error += jobs * std::abs(std::log((wait + 60) / (middle + 60)));
            score.inside += wait >= low && wait <= high ? jobs : 0;
            score.jobs += jobs;
          });
      }
  return score;
}

inline Score back_test_outlook(const Partitions &partitions, int first, int last, int window) {
  return back_test(partitions, first, last, [window](const History &history, int day) {
    return outlook(history, day, window);
  });
}

// How the forecast is made and tested: the data have the days first to last - 1. It looks back
// `window` days, the best choice for the days before held_out; the back-test is about the others.
struct Plan {
  int first = 0, held_out = 0, last = 0;
  int window = 0; // 0: the days are too few

  static constexpr int fewest_days = 6;
};

inline Plan make_plan(const Partitions &partitions) {
  Plan plan;
  for (const auto &[name, partition] : partitions)
    for (const History &history : partition)
      if (!history.by_start.empty()) {
        const int first = history.cohorts.begin()->first;
        plan.first = plan.last == 0 ? first : std::min(plan.first, first);
        plan.last = std::max(plan.last, history.by_start.rbegin()->first + 1);
      }
  const int days = plan.last - plan.first;
  plan.held_out = plan.last - days / 3;
  if (days < Plan::fewest_days)
    return plan;
  double least = unlimited;
  for (const int window : {1, 2, 3, 5, 7, 10, 14, 21, 28}) {
    const Score score = back_test_outlook(partitions, plan.first, plan.held_out, window);
    if (score.jobs > 0 && score.factor() < least) {
      plan.window = window;
      least = score.factor();
    }
  }
  return plan;
}
