// Exercise 19-queue-time/rosy-forecast: a bug hunt. The forecast is too short.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/19-queue-time/rosy-forecast.cu -o rosy-forecast
// Run:   ./rosy-forecast
//
// The queue is simulated, so the waits that cancelled jobs would have had are known.

#include "common/verify.hpp"
#include "exercises/19-queue-time/rosy-forecast.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

struct Job {
  int waited;
  bool started;
};

double rosy_forecast(int n, const int *waited, const int *started, double share) {
  std::vector<Job> jobs;
  // TODO 1: which jobs does the estimate need?
  for (int i = 0; i < n; ++i)
    if (started[i] == 1)
      jobs.push_back({waited[i], true});
  // TODO end
  std::sort(jobs.begin(), jobs.end(),
            [](const Job &a, const Job &b) { return a.waited < b.waited; });

  double still_waiting = 1; // the share of the jobs that wait longer
  for (size_t first = 0, last; first < jobs.size(); first = last) {
    last = first; // jobs first to last - 1 have the same wait
    while (last < jobs.size() && jobs[last].waited == jobs[first].waited)
      ++last;

    // TODO 2: how many jobs have waited for so long, and how many of them start now?
    const size_t at_risk = jobs.size() - first;
    const size_t starts = last - first;
    // TODO end

    still_waiting *= 1 - double(starts) / double(at_risk);
    if (still_waiting <= 1 - share)
      return jobs[first].waited;
  }
  return -1;
}

int main() {
  // A job would wait for 4 hours on average. Its user cancels it after 6 hours on average.
  const int n = 20000;
  std::mt19937 random(19);
  const auto draw = [&](double mean) { return -mean * std::log((random() + 0.5) / 4294967296.0); };
  std::vector<int> wait(n), waited(n), started(n);
  for (int i = 0; i < n; ++i) {
    wait[i] = int(draw(4 * 3600));
    const int patience = int(draw(6 * 3600));
    waited[i] = std::min(wait[i], patience);
    started[i] = wait[i] <= patience;
  }
  const double forecast = rosy_forecast(n, waited.data(), started.data(), 0.5);
  std::sort(wait.begin(), wait.end());
  const double median = wait[n / 2];
  std::printf("median wait: forecast %.2f h, without cancellations %.2f h\n", forecast / 3600,
              median / 3600);
  return course::verdict(course::verify_value("median", forecast, median, 0.05));
}
