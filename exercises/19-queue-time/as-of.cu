// Exercise 19-queue-time/as-of: which jobs were known at some time?
//
// Build: nvcc -O3 -std=c++17 -I. exercises/19-queue-time/as-of.cu -o as-of
// Run:   ./as-of

#include "common/verify.hpp"
#include "exercises/19-queue-time/as-of.hpp"

#include <algorithm>
#include <cstdio>

void as_of(int now, int window, int n, const int *eligible, const int *left, const int *started,
           int *waited, int *has_started) {
  for (int i = 0; i < n; ++i) {
    // TODO 1: does this job count?
    const bool counts = true;
    // TODO end

    // TODO 2: until when had it waited, as far as was known? Had it started?
    const int until = left[i];
    const bool starts = started[i] == 1;
    // TODO end

    waited[i] = counts ? until - eligible[i] : -1;
    has_started[i] = counts && starts ? 1 : 0;
  }
}

int main() {
  // The forecast is made at 10:00, from the jobs since 6:00. The times are in hours. The jobs: too
  // old, started, cancelled, starts later, is cancelled later, starts at 10:00, not yet eligible.
  const int n = 7, hour = 3600;
  int eligible[] = {5, 6, 7, 8, 9, 6, 11}, left[] = {7, 9, 9, 15, 12, 10, 13};
  const int started[] = {1, 1, 0, 1, 0, 1, 1};
  const int wait[] = {-1, 3, 2, 2, 1, 4, -1}, start[] = {0, 1, 0, 0, 0, 0, 0};
  for (int i = 0; i < n; ++i) {
    eligible[i] *= hour;
    left[i] *= hour;
  }
  int waited[n], has_started[n];
  as_of(10 * hour, 4 * hour, n, eligible, left, started, waited, has_started);
  for (int i = 0; i < n; ++i)
    std::printf("job %d: waited %6d s%s\n", i, waited[i], has_started[i] ? ", started" : "");
  const bool correct = course::verify("waited", waited, n,
                                      [&](size_t i) { return wait[i] < 0 ? -1 : wait[i] * hour; });
  return course::verdict(
      course::verify("has_started", has_started, n, [&](size_t i) { return start[i]; }) && correct);
}
