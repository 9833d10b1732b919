// The reduction of one value of each thread of a block; thread 0 gets the result.
#pragma once

#include "../detail/block.cuh"
#include "../thread/thread_operators.cuh"

COURSE_CPU_BOTH_SPACES

namespace cub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS
};

// As in CUB, a barrier must stand between two uses of one TempStorage.
template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1>
class BlockReduce {
public:
  struct TempStorage {
    course_cpu::SharedValues<T, X * Y * Z> values;
  };

  explicit BlockReduce(TempStorage &storage) : storage_(storage) {}
  BlockReduce() : storage_(own_storage()) {}

  template <class Op> T Reduce(T input, Op op, int valid_items = X * Y * Z) {
    const int rank = course_cpu::rank_in_block<X, Y>();
    storage_.values[rank] = input;
    __syncthreads();
    if (rank == 0)
      for (int i = 1; i < valid_items; i++)
        input = op(input, storage_.values[i]);
    return input;
  }

  T Sum(T input, int valid_items = X * Y * Z) {
    return Reduce(input, course_cpu::Plus(), valid_items);
  }

  // Of several values of each thread.
  template <int items, class Op> T Reduce(T (&inputs)[items], Op op) {
    T input = inputs[0];
    for (int i = 1; i < items; i++)
      input = op(input, inputs[i]);
    return Reduce(input, op);
  }

  template <int items> T Sum(T (&inputs)[items]) { return Reduce(inputs, course_cpu::Plus()); }

private:
  static TempStorage &own_storage() {
    __shared__ TempStorage storage;
    return storage;
  }

  TempStorage &storage_;
};

} // namespace cub

COURSE_CPU_BOTH_SPACES_END
