// Running sums over the threads of a block: each gets that of its own place.
#pragma once

#include "functors.cuh"

#include "../cuda_runtime.h"

namespace cub {

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

// As in CUB, a barrier must stand between two uses of one TempStorage.
template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1>
class BlockScan {
public:
  struct TempStorage {
    T values[X * Y * Z]; // of each thread: its value, then what comes before it
    T aggregate;
  };

  explicit BlockScan(TempStorage &storage) : storage_(storage) {}

  // ---- one value of each thread; `aggregate` gets what the block's values make together

  void InclusiveSum(T input, T &output) { InclusiveScan(input, output, course_cpu::Plus()); }
  void InclusiveSum(T input, T &output, T &aggregate) {
    InclusiveScan(input, output, course_cpu::Plus(), aggregate);
  }
  void ExclusiveSum(T input, T &output) { ExclusiveScan(input, output, T(), course_cpu::Plus()); }
  void ExclusiveSum(T input, T &output, T &aggregate) {
    ExclusiveScan(input, output, T(), course_cpu::Plus(), aggregate);
  }

  template <class Op> void InclusiveScan(T input, T &output, Op op) {
    T aggregate;
    InclusiveScan(input, output, op, aggregate);
  }
  template <class Op> void InclusiveScan(T input, T &output, Op op, T &aggregate) {
    T inputs[] = {input}, outputs[1];
    InclusiveScan(inputs, outputs, op, aggregate);
    output = outputs[0];
  }
  template <class Op> void ExclusiveScan(T input, T &output, T initial, Op op) {
    T aggregate;
    ExclusiveScan(input, output, initial, op, aggregate);
  }
  template <class Op> void ExclusiveScan(T input, T &output, T initial, Op op, T &aggregate) {
    T inputs[] = {input}, outputs[1];
    ExclusiveScan(inputs, outputs, initial, op, aggregate);
    output = outputs[0];
  }

  // ---- several values of each thread, which follow each other

  template <int items> void InclusiveSum(T (&inputs)[items], T (&outputs)[items]) {
    InclusiveScan(inputs, outputs, course_cpu::Plus());
  }
  template <int items> void InclusiveSum(T (&inputs)[items], T (&outputs)[items], T &aggregate) {
    InclusiveScan(inputs, outputs, course_cpu::Plus(), aggregate);
  }
  template <int items> void ExclusiveSum(T (&inputs)[items], T (&outputs)[items]) {
    ExclusiveScan(inputs, outputs, T(), course_cpu::Plus());
  }
  template <int items> void ExclusiveSum(T (&inputs)[items], T (&outputs)[items], T &aggregate) {
    ExclusiveScan(inputs, outputs, T(), course_cpu::Plus(), aggregate);
  }

  template <int items, class Op>
  void InclusiveScan(T (&inputs)[items], T (&outputs)[items], Op op) {
    T aggregate;
    InclusiveScan(inputs, outputs, op, aggregate);
  }
  template <int items, class Op>
  void InclusiveScan(T (&inputs)[items], T (&outputs)[items], Op op, T &aggregate) {
    const T before = before_thread(inputs, op, aggregate);
    T running = rank() == 0 ? inputs[0] : op(before, inputs[0]);
    for (int i = 0; i < items; i++) {
      const T input = inputs[i]; // the arrays may be one
      running = i == 0 ? running : op(running, input);
      outputs[i] = running;
    }
  }

  template <int items, class Op>
  void ExclusiveScan(T (&inputs)[items], T (&outputs)[items], T initial, Op op) {
    T aggregate;
    ExclusiveScan(inputs, outputs, initial, op, aggregate);
  }
  template <int items, class Op>
  void ExclusiveScan(T (&inputs)[items], T (&outputs)[items], T initial, Op op, T &aggregate) {
    const T before = before_thread(inputs, op, aggregate);
    T running = rank() == 0 ? initial : op(initial, before);
    for (int i = 0; i < items; i++) {
      const T input = inputs[i];
      outputs[i] = running;
      running = op(running, input);
    }
  }

private:
  static int rank() { return threadIdx.x + X * (threadIdx.y + Y * threadIdx.z); }

  // What the values of all earlier threads make; none for thread 0.
  template <int items, class Op> T before_thread(const T (&inputs)[items], Op op, T &aggregate) {
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
      storage_.aggregate = running;
    }
    __syncthreads();
    aggregate = storage_.aggregate;
    return storage_.values[rank()];
  }

  TempStorage &storage_;
};

} // namespace cub
