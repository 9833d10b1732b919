// Model parallel: all rows on each GPU, and the columns of X and W divided over them.
#pragma once

#include "lessons/14-multi-gpu/gpu.hpp"

// A GPU and what it holds.
struct ColumnGpu {
  int device, gpus;
  Layer layer;                // some columns of all rows
  float *y;                   // what each GPU adds to Y, one matrix after the other
  cudaEvent_t summed, copied; // its own matrix of y is there; it has copied the others'

  // For the current device.
  ColumnGpu(int its_device, int all_gpus, int rows, int features, Range columns)
      : device(its_device), gpus(all_gpus),
        layer(rows, features, {0, rows}, columns, slices_of(columns.count), slabs) {
    CUDA_CHECK(cudaMalloc(&y, gpus * y_bytes()));
    CUDA_CHECK(cudaEventCreateWithFlags(&summed, cudaEventDisableTiming));
    CUDA_CHECK(cudaEventCreateWithFlags(&copied, cudaEventDisableTiming));
  }
  ~ColumnGpu() {
    cudaFree(y);
    cudaEventDestroy(summed);
    cudaEventDestroy(copied);
  }
  int y_count() const { return outputs * layer.rows; }
  std::size_t y_bytes() const { return y_count() * sizeof(float); }
  float *y_of(int gpu) const { return y + gpu * y_count(); }

  // Queues the kernels that lead to what this GPU adds to Y.
  void find_outputs() {
    launch_forward(layer);
    sum_parts<<<blocks_for(y_count(), 256), 256>>>(layer.part, slices_of(layer.columns),
                                                   y_of(device), y_count());
    CUDA_CHECK(cudaGetLastError());
  }
  // Queues all that follows once y is complete: the errors, then this GPU's columns of the weights.
  void update_weights(double rate) {
    layer.find_errors(y, gpus);
    launch_backward(layer);
    layer.update_weights(slabs, rate);
  }
};
using ColumnGpus = std::list<ColumnGpu>;

// The first `count` GPUs, each with its share of the columns, in groups of four.
inline ColumnGpus column_gpus_for(int count, int rows, int features) {
  ColumnGpus gpus;
  const int fours = columns_for(features) / 4;
  for (int device = 0, first = 0; device < count; ++device) {
    CUDA_CHECK(cudaSetDevice(device));
    const int share = 4 * (fours / count + (device < fours % count));
    gpus.emplace_back(device, count, rows, features, Range{first, share});
    first += share;
  }
  return gpus;
}

inline void step_by_columns(ColumnGpus &gpus, double rate) {
  for (ColumnGpu &gpu : gpus) {
    CUDA_CHECK(cudaSetDevice(gpu.device));
    for (const ColumnGpu &other : gpus) // of the step before; in the first step nobody waits
      CUDA_CHECK(cudaStreamWaitEvent(nullptr, other.copied));
    gpu.find_outputs();
    CUDA_CHECK(cudaEventRecord(gpu.summed));
  }
  for (ColumnGpu &gpu : gpus) {
    CUDA_CHECK(cudaSetDevice(gpu.device));
    for (const ColumnGpu &other : gpus) {
      if (&other == &gpu)
        continue;
      CUDA_CHECK(cudaStreamWaitEvent(nullptr, other.summed));
      CUDA_CHECK(cudaMemcpyPeerAsync(gpu.y_of(other.device), gpu.device, other.y_of(other.device),
                                     other.device, gpu.y_bytes()));
    }
    CUDA_CHECK(cudaEventRecord(gpu.copied));
  }
  // Not before all copies are queued: a copy from GPU to GPU waits for what both of them have in
  // their default streams, so the second one would wait for the first GPU's backward pass.
  for (ColumnGpu &gpu : gpus) {
    CUDA_CHECK(cudaSetDevice(gpu.device));
    gpu.update_weights(rate);
  }
}

// Whether the first step was right: the first GPU's errors and loss, all weights, and whether the
// other GPUs have the same errors and loss.
inline bool verify_first_step(const char *what, const ColumnGpus &gpus, double rate) {
  const Layer &first = gpus.front().layer;
  const int columns = columns_for(first.features);
  const std::vector<float> errors = first.errors();
  const double loss = first.last_loss();
  std::vector<float> weights(outputs * columns);
  bool same = true;
  for (const ColumnGpu &gpu : gpus) {
    const Layer &its = gpu.layer;
    CUDA_CHECK(cudaMemcpy2D(weights.data() + its.first_column, columns * sizeof(float), its.w,
                            its.columns * sizeof(float), its.columns * sizeof(float), outputs,
                            cudaMemcpyDeviceToHost));
    if (&its == &first)
      continue;
    same = verify_same("errors", gpu.device, its.errors(), errors) && same;
    same =
        near(what, "loss", gpu.device, its.last_loss(), loss, loss) && same; // summed in any order
  }
  return verify_step(what, rate, first.features, errors, weights, loss) && same;
}
