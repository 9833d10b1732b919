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

  // op(element, the one before it); the block's first element stays, or `before` is before it.
  template <int items, class Out, class Op>
  void SubtractLeft(T (&inputs)[items], Out (&outputs)[items], Op op) {
    left(inputs, outputs, op, X * Y * Z * items, nullptr);
  }
  template <int items, class Out, class Op>
  void SubtractLeft(T (&inputs)[items], Out (&outputs)[items], Op op, T before) {
    left(inputs, outputs, op, X * Y * Z * items, &before);
  }
  // Elements behind the first `valid_items` stay.
  template <int items, class Out, class Op>
  void SubtractLeftPartialTile(T (&inputs)[items], Out (&outputs)[items], Op op, int valid_items) {
    left(inputs, outputs, op, valid_items, nullptr);
  }
  template <int items, class Out, class Op>
  void SubtractLeftPartialTile(T (&inputs)[items], Out (&outputs)[items], Op op, int valid_items,
                               T before) {
    left(inputs, outputs, op, valid_items, &before);
  }

  // op(element, the one behind it); the block's last element stays, or `behind` is behind it.
  template <int items, class Out, class Op>
  void SubtractRight(T (&inputs)[items], Out (&outputs)[items], Op op) {
    right(inputs, outputs, op, X * Y * Z * items, nullptr);
  }
  template <int items, class Out, class Op>
  void SubtractRight(T (&inputs)[items], Out (&outputs)[items], Op op, T behind) {
    right(inputs, outputs, op, X * Y * Z * items, &behind);
  }
  // The last valid element stays, and those behind it.
  template <int items, class Out, class Op>
  void SubtractRightPartialTile(T (&inputs)[items], Out (&outputs)[items], Op op, int valid_items) {
    right(inputs, outputs, op, valid_items, nullptr);
  }

private:
  template <int items, class Out, class Op>
  void left(T (&inputs)[items], Out (&outputs)[items], Op op, int valid_items, T *before_block) {
    const int rank = course_cpu::rank_in_block<X, Y>();
    storage_.values[rank] = inputs[items - 1];
    __syncthreads();
    T *const before_thread = rank == 0 ? before_block : &storage_.values[rank - 1];
    for (int i = items - 1; i >= 0; i--) {
      T *const before = i == 0 ? before_thread : &inputs[i - 1];
      if (before && rank * items + i < valid_items)
        outputs[i] = op(inputs[i], *before);
      else
        outputs[i] = inputs[i];
    }
  }

  template <int items, class Out, class Op>
  void right(T (&inputs)[items], Out (&outputs)[items], Op op, int valid_items, T *behind_block) {
    const int rank = course_cpu::rank_in_block<X, Y>();
    const int whole_block = X * Y * Z * items;
    storage_.values[rank] = inputs[0];
    __syncthreads();
    T *const behind_thread = rank == X * Y * Z - 1 ? behind_block : &storage_.values[rank + 1];
    for (int i = 0; i < items; i++) {
      T *const behind = i == items - 1 ? behind_thread : &inputs[i + 1];
      if (behind && (rank * items + i + 1 < valid_items || valid_items == whole_block))
        outputs[i] = op(inputs[i], *behind);
      else
        outputs[i] = inputs[i];
    }
  }

  TempStorage &storage_;
};

} // namespace cub

COURSE_CPU_BOTH_SPACES_END
