// How long jobs waited: for each partition, class of size and day, in memory that does not depend
// on how many jobs there are.
#pragma once

#include "lessons/19-queue-time/times.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>

// [histogram]
// Numbers of jobs by their wait. The first 32 bins are one second wide; from there on each doubling
// of the wait has 16 bins, and the middle of a bin is within 1/32 of each wait in it.
class Histogram {
public:
  void add(long long seconds, std::uint32_t jobs = 1) {
    bins_[bin_of(seconds)] += jobs;
    count_ += jobs;
  }
  std::uint64_t count() const { return count_; }

  // The wait of job number share * count in the order of waits; 0 <= share <= 1.
  double percentile(double share) const {
    const auto rank = std::uint64_t(share * double(count_ - 1) + 0.5);
    std::uint64_t below = 0;
    for (int bin = 0; bin < bins; ++bin)
      if ((below += bins_[bin]) > rank)
        return middle(bin);
    return 0; // no jobs
  }
  // [end]

  // Calls use(wait, jobs) for each bin with jobs, from the shortest wait on.
  template <class Use> void each(Use use) const {
    for (int bin = 0; bin < bins; ++bin)
      if (bins_[bin] > 0)
        use(middle(bin), bins_[bin]);
  }

  // The same for two histograms at once: use(wait, jobs of a, jobs of b) for each bin with jobs.
  template <class Use> friend void each_bin(const Histogram &a, const Histogram &b, Use use) {
    for (int bin = 0; bin < bins; ++bin)
      if (a.bins_[bin] + b.bins_[bin] > 0)
        use(middle(bin), a.bins_[bin], b.bins_[bin]);
  }

  Histogram &operator+=(const Histogram &other) {
    for (int bin = 0; bin < bins; ++bin)
      bins_[bin] += other.bins_[bin];
    count_ += other.count_;
    return *this;
  }

  static constexpr double error = 1.0 / 32; // of a percentile, relative

private:
  static constexpr int sub_bins = 16,
                       bins = sub_bins * (31 - 3); // for up to 2^31 seconds: 68 years

  static int bin_of(long long seconds) {
    seconds = std::min(seconds, (1LL << 31) - 1);
    int shift = 0; // until five bits are left, of which the first is 1
    while ((seconds >> shift) >= 2 * sub_bins)
      ++shift;
    return shift * sub_bins + int(seconds >> shift);
  }
  static double middle(int bin) {
    const int shift = std::max(bin / sub_bins - 1, 0);
    const long long low = static_cast<long long>(bin - shift * sub_bins) << shift;
    return double(low) + ((1LL << shift) - 1) / 2.0;
  }

  std::array<std::uint32_t, bins> bins_{};
  std::uint64_t count_ = 0;
};

// Classes of job size: under first, first to first * factor, that to first * factor^2, above.
struct Classes {
  static constexpr int count = 4;
  double first = 4, factor = 4;
  bool by_memory = false; // GB hours in place of CPU hours

  double bound(int i) const { return first * std::pow(factor, i); } // between class i and i + 1
  int of(double hours) const {
    int i = 0;
    while (i < count - 1 && hours >= bound(i))
      ++i;
    return i;
  }
  std::string name(int i) const {
    const char *unit = by_memory ? "GBh" : "CPUh";
    char text[80];
    if (i == 0)
      std::snprintf(text, sizeof text, "< %g %s", bound(0), unit);
    else if (i < count - 1)
      std::snprintf(text, sizeof text, "%g - %g %s", bound(i - 1), bound(i), unit);
    else
      std::snprintf(text, sizeof text, ">= %g %s", bound(i - 1), unit);
    return text;
  }
};

// The jobs of one class that became eligible on one day, by the day on which each left the queue. A
// wait is known from that day on; of a job that has not left yet only its age is known.
struct Cohort {
  std::map<int, Histogram> started, cancelled; // the day's number since 1970
  std::uint32_t waiting = 0;                   // that have not left at the end of the data
};

// The waits of one class of one partition: of all jobs, and by days.
struct History {
  Histogram started, cancelled;
  std::map<long long, std::uint32_t>
      waiting;                       // by the time of Eligible: few, beside those that left
  std::map<int, Histogram> by_start; // those that started, by the day of the start
  std::map<int, Cohort> cohorts;     // by the day on which a job became eligible

  void add_started(long long eligible, long long start) {
    started.add(start - eligible);
    by_start[int(start / day)].add(start - eligible);
    cohorts[int(eligible / day)].started[int(start / day)].add(start - eligible);
  }
  void add_cancelled(long long eligible, long long end, std::uint32_t tasks = 1) {
    cancelled.add(end - eligible, tasks);
    cohorts[int(eligible / day)].cancelled[int(end / day)].add(end - eligible, tasks);
  }
  void add_waiting(long long eligible, std::uint32_t tasks = 1) {
    waiting[eligible] += tasks;
    cohorts[int(eligible / day)].waiting += tasks;
  }
};

using Partition = std::array<History, Classes::count>;
using Partitions = std::map<std::string, Partition, std::less<>>;
