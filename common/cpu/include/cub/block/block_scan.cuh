// Running sums over the threads of a block: each gets that of its own place.
#pragma once

#include "../detail/block.cuh"
#include "../thread/thread_operators.cuh"

#include <utility>

COURSE_CPU_BOTH_SPACES

namespace cub {

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

// As in CUB, a barrier must stand between two uses of one TempStorage.
template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1>
class BlockScan {
public:
  struct TempStorage {
    course_cpu::SharedValues<T, X * Y * Z> values; // of each thread, then of all before it
    course_cpu::SharedValues<T, 1> aggregate, prefix;
  };

  explicit BlockScan(TempStorage &storage) : storage_(storage) {}
  BlockScan() : storage_(own_storage()) {}

  // ---- one value of each thread is an array of one

  template <class... Rest> void InclusiveSum(T input, T &output, Rest &&...rest) {
    InclusiveSum(array_of_one(input), array_of_one(output), std::forward<Rest>(rest)...);
  }
  template <class... Rest> void ExclusiveSum(T input, T &output, Rest &&...rest) {
    ExclusiveSum(array_of_one(input), array_of_one(output), std::forward<Rest>(rest)...);
  }
  template <class... Rest> void InclusiveScan(T input, T &output, Rest &&...rest) {
    InclusiveScan(array_of_one(input), array_of_one(output), std::forward<Rest>(rest)...);
  }
  template <class... Rest> void ExclusiveScan(T input, T &output, Rest &&...rest) {
    ExclusiveScan(array_of_one(input), array_of_one(output), std::forward<Rest>(rest)...);
  }

  // ---- several values of each thread, which follow each other
  // `aggregate` gets what the block's values make together. prefix(aggregate), which the first
  // warp calls, says what is before them; what the first thread gets counts.

  template <int items, class... Rest>
  void InclusiveSum(T (&inputs)[items], T (&outputs)[items], Rest &&...rest) {
    InclusiveScan(inputs, outputs, course_cpu::Plus(), std::forward<Rest>(rest)...);
  }
  template <int items> void ExclusiveSum(T (&inputs)[items], T (&outputs)[items]) {
    ExclusiveScan(inputs, outputs, T(), course_cpu::Plus());
  }
  template <int items> void ExclusiveSum(T (&inputs)[items], T (&outputs)[items], T &aggregate) {
    ExclusiveScan(inputs, outputs, T(), course_cpu::Plus(), aggregate);
  }
  template <int items, class Prefix>
  void ExclusiveSum(T (&inputs)[items], T (&outputs)[items], Prefix &prefix) {
    ExclusiveScan(inputs, outputs, course_cpu::Plus(), prefix);
  }

  template <int items, class Op>
  void InclusiveScan(T (&inputs)[items], T (&outputs)[items], Op op) {
    scan_threads(inputs, op);
    scan_items<true>(inputs, outputs, op, nullptr);
  }
  template <int items, class Op>
  void InclusiveScan(T (&inputs)[items], T (&outputs)[items], Op op, T &aggregate) {
    InclusiveScan(inputs, outputs, op);
    aggregate = storage_.aggregate[0];
  }
  template <int items, class Op>
  void InclusiveScan(T (&inputs)[items], T (&outputs)[items], T initial, Op op) {
    scan_threads(inputs, op);
    scan_items<true>(inputs, outputs, op, &initial);
  }
  template <int items, class Op>
  void InclusiveScan(T (&inputs)[items], T (&outputs)[items], T initial, Op op, T &aggregate) {
    InclusiveScan(inputs, outputs, initial, op);
    aggregate = storage_.aggregate[0];
  }
  template <int items, class Op, class Prefix>
  void InclusiveScan(T (&inputs)[items], T (&outputs)[items], Op op, Prefix &prefix) {
    scan_threads(inputs, op);
    scan_items<true>(inputs, outputs, op, ask(prefix));
  }

  // Without an initial value the first output of the first thread stays as it is.
  template <int items, class Op>
  void ExclusiveScan(T (&inputs)[items], T (&outputs)[items], Op op) {
    scan_threads(inputs, op);
    scan_items<false>(inputs, outputs, op, nullptr);
  }
  template <int items, class Op>
  void ExclusiveScan(T (&inputs)[items], T (&outputs)[items], Op op, T &aggregate) {
    ExclusiveScan(inputs, outputs, op);
    aggregate = storage_.aggregate[0];
  }
  template <int items, class Op>
  void ExclusiveScan(T (&inputs)[items], T (&outputs)[items], T initial, Op op) {
    scan_threads(inputs, op);
    scan_items<false>(inputs, outputs, op, &initial);
  }
  template <int items, class Op>
  void ExclusiveScan(T (&inputs)[items], T (&outputs)[items], T initial, Op op, T &aggregate) {
    ExclusiveScan(inputs, outputs, initial, op);
    aggregate = storage_.aggregate[0];
  }
  template <int items, class Op, class Prefix>
  void ExclusiveScan(T (&inputs)[items], T (&outputs)[items], Op op, Prefix &prefix) {
    scan_threads(inputs, op);
    scan_items<false>(inputs, outputs, op, ask(prefix));
  }

private:
  static TempStorage &own_storage() {
    __shared__ TempStorage storage;
    return storage;
  }

  static auto array_of_one(T &value) -> T (&)[1] { return reinterpret_cast<T(&)[1]>(value); }

  static int rank() { return course_cpu::rank_in_block<X, Y>(); }

  // Stores what the values of all earlier threads make, for thread 0 nothing of use.
  template <int items, class Op> void scan_threads(const T (&inputs)[items], Op op) {
    T own = inputs[0];
    for (int i = 1; i < items; i++)
      own = op(own, inputs[i]);
    storage_.values[rank()] = own;
    __syncthreads();
    if (rank() == 0) {
      T running = storage_.values[0];
      for (int i = 1; i < X * Y * Z; i++) {
        const T value = storage_.values[i];
        storage_.values[i] = running;
        running = op(running, value);
      }
      storage_.aggregate[0] = running;
    }
    __syncthreads();
  }

  template <class Prefix> const T *ask(Prefix &prefix) {
    if (rank() < 32) {
      const T before = prefix(storage_.aggregate[0]);
      if (rank() == 0)
        storage_.prefix[0] = before;
    }
    __syncthreads();
    return &storage_.prefix[0];
  }

  // `initial`, if there is one, comes before the block's values. The arrays may be one.
  template <bool inclusive, int items, class Op>
  void scan_items(const T (&inputs)[items], T (&outputs)[items], Op op, const T *initial) {
    T before = storage_.values[rank()];
    bool is_first = false;
    if (rank() > 0)
      before = initial ? op(*initial, before) : before;
    else if (initial)
      before = *initial;
    else
      is_first = true;
    for (int i = 0; i < items; i++) {
      const T after = is_first ? inputs[i] : op(before, inputs[i]);
      if (inclusive)
        outputs[i] = after;
      else if (!is_first)
        outputs[i] = before;
      before = after;
      is_first = false;
    }
  }

  TempStorage &storage_;
};

} // namespace cub

COURSE_CPU_BOTH_SPACES_END
