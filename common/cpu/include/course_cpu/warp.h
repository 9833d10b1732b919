// Warps: the 32 threads of a block whose ranks follow each other, and what they exchange.
//
// Lanes that call the same operation, on the same line, with the same mask, meet: the last of them
// to arrive lets the others continue. Lanes that have returned are not waited for. So the two
// halves of a warp may exchange in different places at once, each with its own mask.
#pragma once

#include "execution.h"

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace course_cpu {

// Lanes that met at one place.
struct Meeting {
  SourceLine line;
  const char *operation;    // __shfl_sync, ...
  unsigned mask;            // lanes that the caller named
  unsigned arrived;         // lanes that came
  unsigned leaving;         // how many of them still read the values
  bool gathers;             // takes whoever comes until no thread of the block can run on
  std::uint64_t values[32]; // one for each lane that came
  unsigned waiting;         // how many fibers stopped there
  Fiber *first, *last;      // those fibers
  Meeting *next;            // of this warp, or free
  Meeting *next_gathering;  // of this block

  bool has(unsigned lane) const { return arrived >> lane & 1; }
};

// Brings `value` to the meeting of the lanes in `mask`. Where others are yet to come, the caller
// has to stop: nobody is leaving then. A lane that is not in `mask` is a fault. With `gathers` the
// meeting is of the lanes that can come to this line now.
Meeting &attend(Fiber *me, const char *operation, unsigned mask, std::uint64_t value,
                SourceLine line, bool gathers);
void end_meeting(Meeting &meeting);
void source_missing(const Meeting &meeting,
                    int lane); // a shuffle asks for a lane that did not come

// Returns when all are there. `release` must follow when the values are read.
inline Meeting &meet(const char *operation, unsigned mask, std::uint64_t value, SourceLine line,
                     bool gathers = false) {
  Fiber *me = running_fiber();
  Meeting &meeting = attend(me, operation, mask, value, line, gathers);
  if (meeting.leaving == 0)
    continue_next(me);
  threadIdx = me->index;
  return meeting;
}

inline void release(Meeting &meeting) {
  if (--meeting.leaving == 0)
    end_meeting(meeting);
}

// Meets, and returns use(meeting).
template <class Use>
auto exchange(const char *operation, unsigned mask, std::uint64_t value, SourceLine line,
              const Use &use) {
  Meeting &meeting = meet(operation, mask, value, line);
  const auto result = use(static_cast<const Meeting &>(meeting));
  release(meeting);
  return result;
}

inline unsigned lane_of_caller() { return running_fiber()->rank % 32; }

// The type of a number in the functions below: NVIDIA's are not templates, so bool, char and short
// become int.
template <class Given>
using Promoted =
    std::conditional_t<std::is_integral<Given>::value && (sizeof(Given) < 4), int, Given>;

template <class T>
constexpr bool
    is_shuffled = (std::is_integral<T>::value && sizeof(T) >= 4) || std::is_same<T, float>::value
                  || std::is_same<T, double>::value;

template <class T> std::uint64_t to_bits(T value) {
  std::uint64_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof value);
  return bits;
}

template <class T> T from_bits(std::uint64_t bits) {
  T value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

// The value of another lane; `source` maps (own lane, first lane, one past the last lane of the
// caller's segment of `width` lanes) to it. A lane that does not take part gives an undefined
// value, as on a device: here all bits are 1. The tools report it.
template <class Given, class Source>
auto shuffle(const char *operation, unsigned mask, Given value, int width, SourceLine line,
             const Source &source) {
  using T = Promoted<Given>;
  static_assert(is_shuffled<T>, "shuffles take int, unsigned, long, unsigned long, long long, "
                                "unsigned long long, float and double");
  if (width < 1 || width > 32 || (width & (width - 1)))
    fault(cudaErrorLaunchFailure, "calls a shuffle with a width that is not a power of 2 up to 32");
  const int lane = static_cast<int>(lane_of_caller());
  const int first = lane & ~(width - 1);
  const int from = source(lane, first, first + width);
  return exchange(operation, mask, to_bits(T{value}), line, [&](const Meeting &meeting) {
    if (meeting.has(from))
      return from_bits<T>(meeting.values[from]);
    source_missing(meeting, from);
    return from_bits<T>(~std::uint64_t{0});
  });
}

// Combines the values of all lanes that came.
template <class T, class Combine>
T reduce(const char *operation, unsigned mask, T value, SourceLine line, const Combine &combine) {
  return exchange(operation, mask, to_bits(value), line, [&](const Meeting &meeting) {
    T result = value;
    const unsigned own = lane_of_caller();
    for (unsigned lane = 0; lane < 32; ++lane)
      if (lane != own && meeting.has(lane))
        result = combine(result, from_bits<T>(meeting.values[lane]));
    return result;
  });
}

// The lanes whose value pleases.
template <class Predicate>
unsigned lanes_where(const Meeting &meeting, const Predicate &predicate) {
  unsigned lanes = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    if (meeting.has(lane) && predicate(meeting.values[lane]))
      lanes |= 1u << lane;
  return lanes;
}

} // namespace course_cpu

__device__ inline void __syncwarp(unsigned mask = 0xffffffffu,
                                  course_cpu::SourceLine line = course_cpu::here()) {
  course_cpu::release(course_cpu::meet("__syncwarp", mask, 0, line));
}

__device__ inline unsigned __activemask(course_cpu::SourceLine line = course_cpu::here()) {
  course_cpu::Meeting &meeting = course_cpu::meet("__activemask", ~0u, 0, line, true);
  const unsigned lanes = meeting.arrived;
  course_cpu::release(meeting);
  return lanes;
}

// ---- shuffles ----------------------------------------------------------------------------------

template <class T>
__device__ auto __shfl_sync(unsigned mask, T value, int source, int width = 32,
                            course_cpu::SourceLine line = course_cpu::here()) {
  return course_cpu::shuffle("__shfl_sync", mask, value, width, line,
                             [=](int, int first, int) { return first + (source & (width - 1)); });
}

template <class T>
__device__ auto __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32,
                               course_cpu::SourceLine line = course_cpu::here()) {
  return course_cpu::shuffle("__shfl_up_sync", mask, value, width, line,
                             [=](int lane, int first, int) {
                               const int from = lane - static_cast<int>(delta);
                               return from < first ? lane : from;
                             });
}

template <class T>
__device__ auto __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32,
                                 course_cpu::SourceLine line = course_cpu::here()) {
  return course_cpu::shuffle("__shfl_down_sync", mask, value, width, line,
                             [=](int lane, int, int past_last) {
                               const int from = lane + static_cast<int>(delta);
                               return from >= past_last ? lane : from;
                             });
}

template <class T>
__device__ auto __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32,
                                course_cpu::SourceLine line = course_cpu::here()) {
  return course_cpu::shuffle("__shfl_xor_sync", mask, value, width, line,
                             [=](int lane, int, int past_last) {
                               const int from = lane ^ lane_mask;
                               return from >= past_last || from < 0 ? lane : from;
                             });
}

// ---- votes -------------------------------------------------------------------------------------

__device__ inline unsigned __ballot_sync(unsigned mask, int predicate,
                                         course_cpu::SourceLine line = course_cpu::here()) {
  return course_cpu::exchange(
      "__ballot_sync", mask, predicate != 0, line, [](const course_cpu::Meeting &meeting) {
        return course_cpu::lanes_where(meeting, [](std::uint64_t value) { return value != 0; });
      });
}

__device__ inline int __any_sync(unsigned mask, int predicate,
                                 course_cpu::SourceLine line = course_cpu::here()) {
  return __ballot_sync(mask, predicate, line) != 0;
}

__device__ inline int __all_sync(unsigned mask, int predicate,
                                 course_cpu::SourceLine line = course_cpu::here()) {
  return __ballot_sync(mask, predicate == 0, line) == 0;
}

template <class T>
__device__ unsigned __match_any_sync(unsigned mask, T value,
                                     course_cpu::SourceLine line = course_cpu::here()) {
  using Taken = course_cpu::Promoted<T>;
  static_assert(course_cpu::is_shuffled<Taken>,
                "__match_any_sync takes integers, float and double");
  const std::uint64_t bits = course_cpu::to_bits(Taken{value});
  return course_cpu::exchange(
      "__match_any_sync", mask, bits, line, [=](const course_cpu::Meeting &meeting) {
        return course_cpu::lanes_where(meeting, [=](std::uint64_t other) { return other == bits; });
      });
}

template <class T>
__device__ unsigned __match_all_sync(unsigned mask, T value, int *all_equal,
                                     course_cpu::SourceLine line = course_cpu::here()) {
  using Taken = course_cpu::Promoted<T>;
  static_assert(course_cpu::is_shuffled<Taken>,
                "__match_all_sync takes integers, float and double");
  const std::uint64_t bits = course_cpu::to_bits(Taken{value});
  return course_cpu::exchange(
      "__match_all_sync", mask, bits, line, [=](const course_cpu::Meeting &meeting) {
        *all_equal = course_cpu::lanes_where(meeting, [=](std::uint64_t other) {
                       return other == bits;
                     }) == meeting.arrived;
        return *all_equal ? meeting.arrived : 0u;
      });
}

// ---- reductions --------------------------------------------------------------------------------

#define COURSE_CPU_REDUCE(NAME, EXPRESSION)                                                        \
  template <class Given>                                                                           \
  __device__ auto NAME(unsigned mask, Given value,                                                 \
                       course_cpu::SourceLine line = course_cpu::here()) {                         \
    using T = course_cpu::Promoted<Given>;                                                         \
    static_assert(std::is_same<T, int>::value || std::is_same<T, unsigned>::value,                 \
                  #NAME " takes int and unsigned");                                                \
    return course_cpu::reduce(#NAME, mask, T{value}, line,                                         \
                              [](T a, T b) -> T { return EXPRESSION; });                           \
  }
COURSE_CPU_REDUCE(__reduce_add_sync,
                  static_cast<T>(static_cast<unsigned>(a) + static_cast<unsigned>(b)))
COURSE_CPU_REDUCE(__reduce_min_sync, b < a ? b : a)
COURSE_CPU_REDUCE(__reduce_max_sync, a < b ? b : a)
#undef COURSE_CPU_REDUCE
#define COURSE_CPU_REDUCE_BITS(NAME, EXPRESSION)                                                   \
  template <class = void>                                                                          \
  __device__ unsigned NAME(unsigned mask, unsigned value,                                          \
                           course_cpu::SourceLine line = course_cpu::here()) {                     \
    return course_cpu::reduce(#NAME, mask, value, line,                                            \
                              [](unsigned a, unsigned b) { return EXPRESSION; });                  \
  }
COURSE_CPU_REDUCE_BITS(__reduce_and_sync, a &b)
COURSE_CPU_REDUCE_BITS(__reduce_or_sync, a | b)
COURSE_CPU_REDUCE_BITS(__reduce_xor_sync, a ^ b)
#undef COURSE_CPU_REDUCE_BITS
