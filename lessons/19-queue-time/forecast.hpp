// How long will a job wait? A forecast from the last days, as far as these are known; and a
// back-test: the same for days that are over, beside what came.
#pragma once

#include "lessons/19-queue-time/waits.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

struct Wait {
  double seconds;
  bool or_longer; // more is not known
};

// Waits as they are known at some time: of the jobs that have started, and of those that have not,
// or were cancelled. These would have waited longer than they did by then.
struct Outlook {
  Histogram started, cut_short;

  bool empty() const { return started.count() + cut_short.count() == 0; }

  // [estimate]
  // Kaplan and Meier's estimate: who has waited for as long as a bin starts within it with the
  // probability started / at risk. Calls use(wait, the share of all jobs that start then, the share
  // that still waits after it) for each bin.
  template <class Use> void each(Use use) const {
    double at_risk = double(started.count() + cut_short.count()), still_waiting = 1;
    each_bin(started, cut_short, [&](double wait, double starts, double leaves) {
      const double share = still_waiting * starts / at_risk;
      still_waiting -= share;
      at_risk -= starts + leaves;
      use(wait, share, still_waiting);
    });
  }

  // The wait that `share` of the jobs do not exceed. With nobody cut short this is the percentile
  // of those that started.
  Wait percentile(double share) const {
    Wait longest{0, true};
    each([&](double wait, double, double still_waiting) {
      if (longest.or_longer)
        longest = {wait, still_waiting > 1 - share + 1e-12};
    });
    return longest;
  }
  // [end]
};

// All that is known at the end of the data, when it is `now`.
inline Outlook outcome(const History &history, long long now) {
  Outlook known{history.started, history.cancelled};
  for (const auto &[eligible, jobs] : history.waiting)
    known.cut_short.add(std::max(now - eligible, 0LL), jobs);
  return known;
}

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
    const auto split = [&](const std::map<int, Histogram> &leave, Histogram &left) {
      for (const auto &[when, waits] : leave)
        if (when < day)
          left += waits;
        else
          known.cut_short.add(age, std::uint32_t(waits.count()));
    };
    split(cohort.started, known.started);
    split(cohort.cancelled, known.cut_short);
    known.cut_short.add(age, cohort.waiting);
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

// Of values with weights: the least that is not exceeded by `share` of the weight.
inline double weighted_percentile(std::vector<std::pair<double, double>> values, double share) {
  std::sort(values.begin(), values.end());
  double all = 0, below = 0;
  for (const auto &[value, weight] : values)
    all += weight;
  for (const auto &[value, weight] : values)
    if ((below += weight) >= share * all)
      return value;
  return 0; // no values
}

// [forecast]
// By how much a forecast's range is wider than from the 10th to the 90th percentile.
struct Margin {
  double low = 1, high = 1;
};

struct Forecast {
  Wait median;
  double low, high; // in between should be 80 % of the waits
};

// Waits range from seconds to days, so all comparisons are ratios: 2 hours are as wrong for 1 hour
// as for 4. A minute is added to each, so that seconds against minutes count little.
inline double ratio(double wait, double to) { return (wait + 60) / (to + 60); }

inline Forecast forecast(const Outlook &known, const Margin &margin) {
  const double low = known.percentile(0.1).seconds, high = known.percentile(0.9).seconds;
  return {known.percentile(0.5), std::max((low + 60) / margin.low - 60, 0.0),
          (high + 60) * margin.high - 60};
}
// [end]

// How good forecasts were.
struct Score {
  double log_error = 0; // sum over jobs of |log(ratio of what came to the forecast)|
  double inside = 0;    // jobs whose wait lies in the forecast's range
  double jobs = 0;

  double factor() const { return std::exp(log_error / jobs); } // by which a forecast is wrong
  double coverage() const { return inside / jobs; }            // 0.8 where the range is right
};

// Asks known_at(history, day) for the jobs of all partitions and classes that became eligible on
// days first to last - 1, and started by then: use(forecast, wait, jobs). Only days with a
// yesterday count, so that all forecasts are about the same jobs.
template <class KnownAt, class Use>
void each_test(const Partitions &partitions, int first, int last, KnownAt known_at,
               const Margin &margin, Use use) {
  for (const auto &[name, partition] : partitions)
    for (const History &history : partition)
      for (auto it = history.cohorts.lower_bound(first);
           it != history.cohorts.end() && it->first < last; ++it) {
        const auto &[day, cohort] = *it;
        if (cohort.started.empty() || yesterday(history, day).empty())
          continue;
        const Forecast said = forecast(known_at(history, day), margin);
        for (const auto &[start, waits] : cohort.started)
          if (start < last) // a later start is the future of who chooses by these days
            waits.each([&](double wait, double jobs) { use(said, wait, jobs); });
      }
}

template <class KnownAt>
Score back_test(const Partitions &partitions, int first, int last, KnownAt known_at,
                const Margin &margin = {}) {
  Score score;
  each_test(partitions, first, last, known_at, margin,
            [&](const Forecast &said, double wait, double jobs) {
              score.log_error += jobs * std::abs(std::log(ratio(wait, said.median.seconds)));
              score.inside += wait >= said.low && wait <= said.high ? jobs : 0;
              score.jobs += jobs;
            });
  return score;
}

// How a forecast is made from the last `window` days, as back_test asks for it.
inline auto from_window(int window) {
  return [window](const History &history, int day) { return outlook(history, day, window); };
}

// [calibrate]
// The margins with which 10 % of the waits of these days are below the range, and 10 % above.
inline Margin calibrate(const Partitions &partitions, int first, int last, int window) {
  std::vector<std::pair<double, double>> below, above; // by which factor, and how many jobs
  each_test(partitions, first, last, from_window(window), {},
            [&](const Forecast &said, double wait, double jobs) {
              below.push_back({ratio(said.low, wait), jobs});
              above.push_back({ratio(wait, said.high), jobs});
            });
  return {std::max(weighted_percentile(below, 0.9), 1.0),
          std::max(weighted_percentile(above, 0.9), 1.0)};
}
// [end]

// How the forecast is made and tested: the data have the days first to last - 1. It looks back
// `window` days and widens its range by `margin`, the best choice for the days before held_out; the
// back-test is about the others.
struct Plan {
  int first = 0, held_out = 0, last = 0;
  int window = 0; // 0: no forecast can be tested
  Margin margin;

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
  if (days < Plan::fewest_days ||
      back_test(partitions, plan.held_out, plan.last, yesterday).jobs == 0)
    return plan;
  double least = unlimited;
  for (const int window : {1, 2, 3, 5, 7, 10, 14, 21, 28}) {
    const Score score = back_test(partitions, plan.first, plan.held_out, from_window(window));
    if (score.jobs > 0 && score.factor() < least) {
      plan.window = window;
      least = score.factor();
    }
  }
  if (plan.window > 0)
    plan.margin = calibrate(partitions, plan.first, plan.held_out, plan.window);
  return plan;
}
