// The reduction of one value of each lane of a warp, or of a part of it; its lane 0 gets the
// result.
#pragma once

#include "../detail/block.cuh"
#include "../thread/thread_operators.cuh"

COURSE_CPU_BOTH_SPACES

namespace cub {

template <class T, int Lanes = 32> class WarpReduce {
  static_assert(Lanes >= 1 && Lanes <= 32, "a warp has 32 lanes");

public:
  struct TempStorage {
    course_cpu::SharedValues<T, Lanes> values;
  };

  explicit WarpReduce(TempStorage &storage) : storage_(storage) {}

  template <class Op> T Reduce(T input, Op op, int valid_items = Lanes) {
    const unsigned rank = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const int lane = rank % 32 % Lanes;
    const unsigned all = ~0u >> (32 - Lanes);
    const unsigned mask = all << (rank % 32 - lane);
    __syncwarp(mask); // an earlier reduction has been read
    storage_.values[lane] = input;
    __syncwarp(mask);
    if (lane == 0)
      for (int i = 1; i < valid_items; i++)
        input = op(input, storage_.values[i]);
    return input;
  }

  T Sum(T input, int valid_items = Lanes) { return Reduce(input, course_cpu::Plus(), valid_items); }

private:
  TempStorage &storage_;
};

} // namespace cub

COURSE_CPU_BOTH_SPACES_END
