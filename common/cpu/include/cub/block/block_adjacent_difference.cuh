// The difference of each element of a block, or another function, from its neighbour. Each thread
// has several elements, which follow each other; the output may be the input.
#pragma once

#include "../detail/block.cuh"

COURSE_CPU_BOTH_SPACES

namespace cub {

// As in CUB, a barrier must stand between two uses of one TempStorage.
template <class T, int X, int Y = 1, int Z = 1> class BlockAdjacentDifference {
public:
  struct TempStorage {
    course_cpu::SharedValues<T, X * Y * Z> values;
  };

  explicit BlockAdjacentDifference(TempStorage &storage) : storage_(storage) {}

  // op(element, the one before it); the block's first element stays.
  template <int items, class Out, class Op>
  void SubtractLeft(T (&inputs)[items], Out (&outputs)[items], Op op) {
    const int rank = course_cpu::rank_in_block<X, Y>();
    storage_.values[rank] = inputs[items - 1];
    __syncthreads();
    for (int i = items - 1; i > 0; i--)
      outputs[i] = op(inputs[i], inputs[i - 1]);
    if (rank == 0)
      outputs[0] = inputs[0];
    else
      outputs[0] = op(inputs[0], storage_.values[rank - 1]);
  }

  // op(element, the one behind it); the block's last element stays.
  template <int items, class Out, class Op>
  void SubtractRight(T (&inputs)[items], Out (&outputs)[items], Op op) {
    const int rank = course_cpu::rank_in_block<X, Y>();
    storage_.values[rank] = inputs[0];
    __syncthreads();
    for (int i = 0; i < items - 1; i++)
      outputs[i] = op(inputs[i], inputs[i + 1]);
    if (rank == X * Y * Z - 1)
      outputs[items - 1] = inputs[items - 1];
    else
      outputs[items - 1] = op(inputs[items - 1], storage_.values[rank + 1]);
  }

private:
  TempStorage &storage_;
};

} // namespace cub

COURSE_CPU_BOTH_SPACES_END
