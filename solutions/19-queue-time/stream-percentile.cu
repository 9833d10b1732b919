// Exercise 19-queue-time/stream-percentile: a percentile of a stream of waits.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/19-queue-time/stream-percentile.cu -o stream-percentile
// Run:   ./stream-percentile

#include "common/verify.hpp"
#include "exercises/19-queue-time/stream-percentile.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>

double stream_percentile(int n, const int *waits, double share, int bins, const int *upper,
                         int *jobs) {
  // TODO 1: count each wait in its bin
  for (int i = 0; i < n; ++i)
    ++jobs[std::lower_bound(upper, upper + bins, waits[i]) - upper];
  // TODO end

  // TODO 2: needed: how many jobs wait no longer than the percentile?
  const double needed = share * std::accumulate(jobs, jobs + bins + 1, 0.0);
  // TODO end

  double below = 0; // jobs in all earlier bins
  for (int bin = 0; bin < bins; ++bin) {
    // TODO 3: if the percentile lies in this bin, return it
    if (below + jobs[bin] >= needed) {
      const double lower = bin == 0 ? 0 : upper[bin - 1];
      return lower + (upper[bin] - lower) * (needed - below) / jobs[bin];
    }
    // TODO end
    below += jobs[bin];
  }
  return upper[bins - 1];
}

int main() {
  const int upper[] = {60, 600, 3600, 36000}; // a minute, 10 minutes, an hour, 10 hours
  const int monday[] = {30, 700, 5, 200, 60}, tuesday[] = {90000, 100, 4000};
  int jobs[5] = {};
  const double first = stream_percentile(5, monday, 0.5, 4, upper, jobs);
  const double both = stream_percentile(3, tuesday, 0.5, 4, upper, jobs);
  std::printf("median wait on Monday: %g s; on Monday and Tuesday: %g s\n", first, both);
  const bool correct = course::verify_value("Monday", first, 50, 1e-12);
  return course::verdict(course::verify_value("both", both, 330, 1e-12) && correct);
}
