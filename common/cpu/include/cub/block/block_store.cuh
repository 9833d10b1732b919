// Each thread of a block writes several elements of an array.
#pragma once

#include "../detail/block.cuh"

COURSE_CPU_BOTH_SPACES

namespace cub {

// See BlockLoadAlgorithm.
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

template <class T, int X, int items_per_thread, BlockStoreAlgorithm algorithm = BLOCK_STORE_DIRECT,
          int Y = 1, int Z = 1>
class BlockStore {
public:
  struct TempStorage {};

  explicit BlockStore(TempStorage &) {}
  BlockStore() = default;

  template <class Out> void Store(Out out, T (&items)[items_per_thread]) {
    Store(out, items, X * Y * Z * items_per_thread);
  }
  // The first `valid_items` of the block.
  template <class Out> void Store(Out out, T (&items)[items_per_thread], int valid_items) {
    const int rank = course_cpu::rank_in_block<X, Y>();
    for (int i = 0; i < items_per_thread; i++) {
      const int place =
          algorithm == BLOCK_STORE_STRIPED ? rank + i * X * Y * Z : rank * items_per_thread + i;
      if (place < valid_items)
        out[place] = items[i];
    }
  }
};

} // namespace cub

COURSE_CPU_BOTH_SPACES_END
