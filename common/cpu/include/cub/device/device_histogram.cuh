// How many samples fall into each of some bins of equal width.
#pragma once

#include "../detail/two_calls.cuh"

namespace cub {

struct DeviceHistogram {
  // levels: one more than bins. Samples below `lower` and from `upper` on are in no bin.
  template <class In, class Counter, class Level, class Items>
  static cudaError_t HistogramEven(void *storage, size_t &storage_bytes, In in, Counter *counts,
                                   int levels, Level lower, Level upper, Items items,
                                   cudaStream_t stream = nullptr) {
    using Wide = std::conditional_t<std::is_integral_v<Level>, long long, double>;
    return course_cpu::two_calls(
        "cub::DeviceHistogram::HistogramEven", storage, storage_bytes, 1, stream, [=](void *) {
          const int bins = levels - 1;
          for (int bin = 0; bin < bins; ++bin)
            counts[bin] = 0;
          for (Items i = 0; i < items; ++i) {
            const auto sample = static_cast<Level>(in[i]);
            if (lower <= sample && sample < upper)
              ++counts[static_cast<int>((Wide(sample) - lower) * bins / (Wide(upper) - lower))];
          }
        });
  }
};

} // namespace cub
