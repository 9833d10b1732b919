// Cooperative groups: the block, tiles of a warp, the lanes that run together, the whole grid.
#pragma once

#include "course_cpu/warp.h"

#include <cstring>
#include <type_traits>

COURSE_CPU_BOTH_SPACES

namespace cooperative_groups {

// Any of the groups below: the lanes of a warp that a mask names, or, without a mask, the block.
class thread_group {
public:
  void sync(course_cpu::SourceLine line = course_cpu::here()) const;
  unsigned num_threads() const;
  unsigned size() const { return num_threads(); }
  unsigned thread_rank() const;

protected:
  explicit thread_group(unsigned lanes) : lanes(lanes) {}

  unsigned lanes;

  friend thread_group tiled_partition(const thread_group &parent, unsigned size);
};

// The threads of one block.
class thread_block : public thread_group {
public:
  thread_block() : thread_group(0) {}

  static void sync(course_cpu::SourceLine line = course_cpu::here()) { course_cpu::barrier(line); }
  static unsigned thread_rank() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  }
  static unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
  static unsigned size() { return num_threads(); }
  static dim3 group_index() { return dim3(blockIdx); }
  static dim3 thread_index() { return dim3(threadIdx); }
};

inline thread_block this_thread_block() { return {}; }

// Memory that tiles of more than a warp would need on a GPU.
template <unsigned MaxBlockSize = 1024> struct block_tile_memory {};
template <unsigned MaxBlockSize> thread_block this_thread_block(block_tile_memory<MaxBlockSize> &) {
  return {};
}

// The threads of the grid; sync needs a launch with cudaLaunchCooperativeKernel.
class grid_group {
public:
  static void sync(course_cpu::SourceLine line = course_cpu::here()) {
    course_cpu::wait_for_grid(line);
  }
  static unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  static unsigned long long num_threads() { return num_blocks() * thread_block::num_threads(); }
  static unsigned long long size() { return num_threads(); }
  static unsigned long long block_rank() {
    return blockIdx.x + static_cast<unsigned long long>(gridDim.x) *
                            (blockIdx.y + static_cast<unsigned long long>(gridDim.y) * blockIdx.z);
  }
  static unsigned long long thread_rank() {
    return block_rank() * thread_block::num_threads() + thread_block::thread_rank();
  }
};

inline grid_group this_grid() { return {}; }

// Lanes of one warp, named by a mask. Ranks count the lanes of the group upwards.
class coalesced_group : public thread_group {
public:
  explicit coalesced_group(unsigned lanes) : thread_group(lanes) {}

  unsigned num_threads() const { return static_cast<unsigned>(__builtin_popcount(lanes)); }
  unsigned size() const { return num_threads(); }
  unsigned thread_rank() const {
    const unsigned below = (1u << course_cpu::lane_of_caller()) - 1;
    return static_cast<unsigned>(__builtin_popcount(lanes & below));
  }
  void sync(course_cpu::SourceLine line = course_cpu::here()) const { __syncwarp(lanes, line); }

  template <class T>
  T shfl(T value, unsigned source, course_cpu::SourceLine line = course_cpu::here()) const {
    if constexpr (course_cpu::is_shuffled<T>)
      return __shfl_sync(lanes, value, lane(source), 32, line);
    else
      return shfl_words(value, lane(source), line);
  }
  template <class T>
  T shfl_up(T value, unsigned delta, course_cpu::SourceLine line = course_cpu::here()) const {
    const unsigned rank = thread_rank();
    return shfl(value, rank < delta ? rank : rank - delta, line);
  }
  template <class T>
  T shfl_down(T value, unsigned delta, course_cpu::SourceLine line = course_cpu::here()) const {
    const unsigned rank = thread_rank();
    return shfl(value, rank + delta < size() ? rank + delta : rank, line);
  }
  template <class T>
  T shfl_xor(T value, unsigned mask, course_cpu::SourceLine line = course_cpu::here()) const {
    const unsigned rank = thread_rank();
    return shfl(value, (rank ^ mask) < size() ? rank ^ mask : rank, line);
  }

  int any(int predicate, course_cpu::SourceLine line = course_cpu::here()) const {
    return __any_sync(lanes, predicate, line);
  }
  int all(int predicate, course_cpu::SourceLine line = course_cpu::here()) const {
    return __all_sync(lanes, predicate, line);
  }
  // Bit r is the predicate of the thread of rank r.
  unsigned ballot(int predicate, course_cpu::SourceLine line = course_cpu::here()) const {
    return to_ranks(__ballot_sync(lanes, predicate, line));
  }

  // The threads of the group that came with an equal value: see labeled_partition.
  template <class T>
  coalesced_group with_equal(T value, course_cpu::SourceLine line = course_cpu::here()) const {
    return coalesced_group(__match_any_sync(lanes, value, line));
  }

private:
  // A structure goes word by word.
  template <class T> T shfl_words(T value, int source, course_cpu::SourceLine line) const {
    static_assert(std::is_trivially_copyable<T>::value, "groups exchange plain values");
    unsigned words[(sizeof(T) + 3) / 4] = {};
    std::memcpy(words, &value, sizeof value);
    for (unsigned &word : words)
      word = __shfl_sync(lanes, word, source, 32, line);
    std::memcpy(static_cast<void *>(&value), words, sizeof value);
    return value;
  }
  int lane(unsigned rank) const {
    unsigned left = lanes;
    for (; rank > 0 && left; --rank)
      left &= left - 1; // drops the lowest lane
    return left ? __builtin_ctz(left) : 32;
  }
  unsigned to_ranks(unsigned of_lanes) const {
    unsigned ranks = 0, rank = 0;
    for (unsigned left = lanes; left; left &= left - 1, ++rank)
      if (of_lanes >> __builtin_ctz(left) & 1)
        ranks |= 1u << rank;
    return ranks;
  }
};

inline coalesced_group coalesced_threads(course_cpu::SourceLine line = course_cpu::here()) {
  return coalesced_group(__activemask(line));
}

// `Size` neighbouring threads: of a warp, or (course_cpu/large_tiles.h) those of several warps.
template <unsigned Size, class Parent = thread_block, bool is_large = (Size > 32)>
class thread_block_tile : public coalesced_group {
  static_assert(Size >= 1 && (Size & (Size - 1)) == 0, "tiles have a power of 2 of threads");

public:
  thread_block_tile() : coalesced_group(own_lanes()) {}

  static constexpr unsigned num_threads() { return Size; }
  static constexpr unsigned size() { return Size; }
  static unsigned thread_rank() { return course_cpu::lane_of_caller() % Size; }
  static unsigned meta_group_rank() { return thread_block::thread_rank() / Size; }
  static unsigned meta_group_size() { return (thread_block::num_threads() + Size - 1) / Size; }

private:
  static unsigned own_lanes() {
    return (~0u >> (32 - Size)) << (course_cpu::lane_of_caller() / Size * Size);
  }
};

template <unsigned Size, class Parent>
thread_block_tile<Size, Parent> tiled_partition(const Parent &,
                                                course_cpu::SourceLine line = course_cpu::here()) {
  if constexpr (Size > 32)
    return thread_block_tile<Size, Parent>(line);
  else
    return {};
}

// Tiles of a size that is known at run time, of lanes of one warp.
inline thread_group tiled_partition(const thread_group &parent, unsigned size) {
  const unsigned lane = course_cpu::lane_of_caller();
  if (parent.lanes == 0) // of the block: neighbouring lanes
    return thread_group((~0u >> (32 - size)) << (lane / size * size));
  unsigned tile = 0, rank = 0;
  const unsigned own = coalesced_group(parent.lanes).thread_rank() / size;
  for (unsigned left = parent.lanes; left; left &= left - 1, ++rank)
    if (rank / size == own)
      tile |= left & -left;
  return thread_group(tile);
}

// The threads that have the same label, and those of which the same is true.
template <class Label>
coalesced_group labeled_partition(const coalesced_group &group, Label label,
                                  course_cpu::SourceLine line = course_cpu::here()) {
  return group.with_equal(label, line);
}
inline coalesced_group binary_partition(const coalesced_group &group, bool predicate,
                                        course_cpu::SourceLine line = course_cpu::here()) {
  return group.with_equal(int(predicate), line);
}

inline void thread_group::sync(course_cpu::SourceLine line) const {
  lanes ? __syncwarp(lanes, line) : thread_block::sync(line);
}
inline unsigned thread_group::num_threads() const {
  return lanes ? coalesced_group(lanes).num_threads() : thread_block::num_threads();
}
inline unsigned thread_group::thread_rank() const {
  return lanes ? coalesced_group(lanes).thread_rank() : thread_block::thread_rank();
}

template <class Group>
void sync(const Group &group, course_cpu::SourceLine line = course_cpu::here()) {
  group.sync(line);
}
template <unsigned Size, class Parent>
void sync(const thread_block_tile<Size, Parent, true> &tile) {
  tile.sync();
}

} // namespace cooperative_groups

COURSE_CPU_BOTH_SPACES_END

#include "course_cpu/large_tiles.h"
