// Tiles of several warps: their threads meet in shared memory.
#pragma once

#include "atomics.h"

COURSE_CPU_BOTH_SPACES

namespace cooperative_groups {

template <unsigned Size, class Parent> class thread_block_tile<Size, Parent, true> {
  static_assert(Size <= 1024 && (Size & (Size - 1)) == 0,
                "tiles have a power of 2 of threads, 1024 at most");

public:
  // Which all threads of the block do, as on a device.
  explicit thread_block_tile(course_cpu::SourceLine line) {
    thread_block::sync(line); // others may still leave an earlier tile
    if (thread_rank() == 0)
      memory().arrived = memory().phase = 0;
    thread_block::sync(line);
  }

  static constexpr unsigned num_threads() { return Size; }
  static constexpr unsigned size() { return Size; }
  static unsigned thread_rank() { return thread_block::thread_rank() % Size; }
  static unsigned meta_group_rank() { return thread_block::thread_rank() / Size; }
  static unsigned meta_group_size() { return (thread_block::num_threads() + Size - 1) / Size; }

  static void sync() {
    Memory &its = memory();
    const unsigned phase = atomicAdd_block(&its.phase, 0);
    __threadfence_block();
    if (atomicAdd_block(&its.arrived, 1) + 1 == present()) {
      atomicExch_block(&its.arrived, 0);
      __threadfence_block();
      atomicAdd_block(&its.phase, 1);
    } else {
      while (atomicAdd_block(&its.phase, 0) == phase)
        __nanosleep(20); // others of the block go on
    }
    __threadfence_block();
  }

  // Each warp brings one value; use(values, how many).
  template <class T, class Use> static auto with_warps(T value, const Use &use) {
    static_assert(sizeof(T) <= 8 && std::is_trivially_copyable<T>::value,
                  "tiles of several warps exchange plain values of up to 8 bytes");
    if (thread_rank() % 32 == 0)
      std::memcpy(&memory().values[thread_rank() / 32], &value, sizeof value);
    sync();
    T values[Size / 32];
    for (unsigned warp = 0; warp * 32 < present(); ++warp)
      std::memcpy(static_cast<void *>(&values[warp]), &memory().values[warp], sizeof value);
    sync();
    return use(values, (present() + 31) / 32);
  }

  template <class T> T shfl(T value, unsigned source) const {
    return with_warps(thread_block_tile<32>().shfl(value, source % 32),
                      [=](const T *values, unsigned) { return values[source / 32]; });
  }
  int any(int predicate) const {
    return with_warps(thread_block_tile<32>().any(predicate), [](const int *warps, unsigned count) {
      int result = 0;
      for (unsigned warp = 0; warp < count; ++warp)
        result |= warps[warp];
      return result;
    });
  }
  int all(int predicate) const { return !any(!predicate); }

private:
  struct Memory {
    unsigned arrived, phase;
    unsigned long long values[Size / 32];
  };
  static Memory &memory() {
#ifdef COURSE_CPU_INSTRUMENTED
    static course_cpu::SharedVariable variable("of tiles", 1024 / Size * sizeof(Memory));
    Memory *const tiles = static_cast<Memory *>(variable.find());
#else
    __shared__ Memory tiles[1024 / Size];
#endif
    return tiles[meta_group_rank()];
  }
  static unsigned present() { // the block may end before the tile does
    const unsigned left = thread_block::num_threads() - meta_group_rank() * Size;
    return left < Size ? left : Size;
  }
};

} // namespace cooperative_groups

COURSE_CPU_BOTH_SPACES_END
