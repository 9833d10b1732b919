// Runs of equal neighbours in a whole array. How many there are is written to device memory.
#pragma once

#include "../detail/two_calls.cuh"

COURSE_CPU_BOTH_SPACES

namespace cub {

struct DeviceRunLengthEncode {
  template <class In, class Keys, class Lengths, class Runs, class Items>
  static cudaError_t Encode(void *storage, size_t &storage_bytes, In in, Keys keys, Lengths lengths,
                            Runs runs, Items items, cudaStream_t stream = nullptr) {
    return course_cpu::two_calls("cub::DeviceRunLengthEncode::Encode", storage, storage_bytes, 1,
                                 stream, [=](void *) {
                                   Items run = 0;
                                   for (Items i = 0, next; i < items; i = next, ++run) {
                                     next = i + 1;
                                     while (next < items && in[next - 1] == in[next])
                                       ++next;
                                     keys[run] = in[i];
                                     lengths[run] = next - i;
                                   }
                                   *runs = static_cast<course_cpu::ValueOf<Runs>>(run);
                                 });
  }
};

} // namespace cub

COURSE_CPU_BOTH_SPACES_END
