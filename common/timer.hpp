// Two clocks: one for the host, one for the device.
#pragma once

#include "common/check.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

namespace course {

// Wall-clock time on the host since this object was created.
class Timer {
public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

// Time on the device between two events of the default stream. A launch returns before its kernel
// ends, so a host clock would time only the launch. The device records the time of the events.
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

  // Waits until the device has finished all work since start(). Returns its time in seconds.
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

// The median of `runs` (at least 1) calls of `measure`, which returns seconds. A single slow run
// changes the mean, but not the median.
template <class Measure> double median(int runs, Measure measure) {
  std::vector<double> seconds(runs);
  for (double &second : seconds)
    second = measure();
  std::nth_element(seconds.begin(), seconds.begin() + runs / 2, seconds.end());
  return seconds[runs / 2];
}

// The time of `work` in seconds, on the host and on the device: the median of `runs`. gpu_seconds
// first runs `work` once without timing, because the first launch of a kernel also loads it.
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
