// Two clocks: one for the host, one for the device.
#pragma once

#include "common/check.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

namespace course {

// Wall-clock time of the host, from its construction on.
class Timer {
public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

// Time on the device between two events of the default stream. A launch returns before its kernel
// ends, so the host's clock would time the launch only; the events are stamped by the device.
class GpuTimer {
public:
  GpuTimer() {
    CUDA_CHECK(cudaEventCreate(&start_));
    CUDA_CHECK(cudaEventCreate(&stop_));
  }
  ~GpuTimer() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }
  GpuTimer(const GpuTimer &) = delete;
  GpuTimer &operator=(const GpuTimer &) = delete;

  void start() { CUDA_CHECK(cudaEventRecord(start_)); }

  // Waits until the device has done everything since start(); the seconds that this took there.
  double seconds() {
    CUDA_CHECK(cudaEventRecord(stop_));
    CUDA_CHECK(cudaEventSynchronize(stop_));
    float milliseconds = 0;
    CUDA_CHECK(cudaEventElapsedTime(&milliseconds, start_, stop_));
    return 1e-3 * milliseconds;
  }

private:
  cudaEvent_t start_{}, stop_{};
};

// The median of `runs` (at least 1) calls of `measure`, which returns seconds. The median, since
// the mean follows the one run in which the machine did something else.
template <class Measure> double median(int runs, Measure measure) {
  std::vector<double> seconds(runs);
  for (double &second : seconds)
    second = measure();
  std::nth_element(seconds.begin(), seconds.begin() + runs / 2, seconds.end());
  return seconds[runs / 2];
}

// Seconds on the host and on the device that `work` takes: median of `runs`. The device's version
// runs it once before, unmeasured: the first launch of a kernel also loads it.
template <class Work> double host_seconds(int runs, Work work) {
  return median(runs, [&] {
    Timer timer;
    work();
    return timer.seconds();
  });
}
template <class Work> double gpu_seconds(int runs, Work work) {
  GpuTimer timer;
  work();
  return median(runs, [&] {
    timer.start();
    work();
    return timer.seconds();
  });
}

} // namespace course
