// Each thread of a block reads several elements of an array.
#pragma once

#include "../detail/block.cuh"

COURSE_CPU_BOTH_SPACES

namespace cub {

// How CUB brings the elements to their threads. Only STRIPED says which elements these are: those
// whose places differ by the number of threads, instead of neighbours.
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};

template <class T, int X, int items_per_thread, BlockLoadAlgorithm algorithm = BLOCK_LOAD_DIRECT,
          int Y = 1, int Z = 1>
class BlockLoad {
public:
  struct TempStorage {};

  explicit BlockLoad(TempStorage &) {}
  BlockLoad() = default;

  template <class In> void Load(In in, T (&items)[items_per_thread]) {
    Load(in, items, X * Y * Z * items_per_thread);
  }
  // Elements behind the first `valid_items` stay as they are,
  template <class In> void Load(In in, T (&items)[items_per_thread], int valid_items) {
    for (int i = 0; i < items_per_thread; i++)
      if (place(i) < valid_items)
        items[i] = in[place(i)];
  }
  // or become `other`.
  template <class In, class Other>
  void Load(In in, T (&items)[items_per_thread], int valid_items, Other other) {
    for (int i = 0; i < items_per_thread; i++)
      items[i] = place(i) < valid_items ? static_cast<T>(in[place(i)]) : static_cast<T>(other);
  }

private:
  static int place(int i) {
    const int rank = course_cpu::rank_in_block<X, Y>();
    return algorithm == BLOCK_LOAD_STRIPED ? rank + i * X * Y * Z : rank * items_per_thread + i;
  }
};

} // namespace cub

COURSE_CPU_BOTH_SPACES_END
