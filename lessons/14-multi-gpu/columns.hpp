// Model parallel: all rows on each GPU, and the columns of X and W divided over them.
#pragma once

#include "lessons/14-multi-gpu/gpu.hpp"

// Columns `first` and on of X and W; a block fills part of a row.
__global__ void fill_input_columns(float *x, int first, int columns, int features) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column < columns)
    x[size_t(blockIdx.y) * columns + column] = input(blockIdx.y, first + column, features);
}
__global__ void fill_weight_columns(float *w, int first, int columns, int features) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column < columns)
    w[blockIdx.y * columns + column] = first_weight(blockIdx.y, first + column, features);
}

// A GPU and what it holds.
struct ColumnGpu {
  int number, gpus, rows, first, columns; // columns first to first + columns - 1
  float *x, *w, *part, *target, *error;
  float *y; // what each GPU adds to Y, one matrix after the other
  double *loss;
  cudaEvent_t summed, copied; // its own matrix of y is there; it has copied the others'

  // For the current device.
  ColumnGpu(int its_number, int all_gpus, int all_rows, int first_column, int its_columns,
            int features)
      : number(its_number), gpus(all_gpus), rows(all_rows), first(first_column),
        columns(its_columns) {
    const std::size_t parts = std::max(std::size_t(slices()) * rows, std::size_t(slabs) * columns);
    for (const auto &[memory, count] : {std::pair{&x, std::size_t(rows) * columns},
                                        {&w, std::size_t(outputs) * columns},
                                        {&part, parts * outputs},
                                        {&target, std::size_t(y_count())},
                                        {&error, std::size_t(y_count())},
                                        {&y, std::size_t(gpus) * y_count()}})
      CUDA_CHECK(cudaMalloc(memory, count * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&loss, sizeof(double)));
    CUDA_CHECK(cudaEventCreateWithFlags(&summed, cudaEventDisableTiming));
    CUDA_CHECK(cudaEventCreateWithFlags(&copied, cudaEventDisableTiming));
    const int blocks = blocks_for(columns, 256);
    fill_input_columns<<<dim3(blocks, rows), 256>>>(x, first, columns, features);
    fill_weight_columns<<<dim3(blocks, outputs), 256>>>(w, first, columns, features);
    fill_targets<<<blocks_for(y_count(), 256), 256>>>(target, 0, y_count());
    CUDA_CHECK(cudaGetLastError());
  }
  ~ColumnGpu() {
    for (float *memory : {x, w, part, target, error, y})
      cudaFree(memory);
    cudaFree(loss);
    cudaEventDestroy(summed);
    cudaEventDestroy(copied);
  }
  ColumnGpu(const ColumnGpu &) = delete;
  ColumnGpu &operator=(const ColumnGpu &) = delete;

  int slices() const { return blocks_for(columns / 4, slice); }
  int y_count() const { return rows * outputs; }
  float *y_of(int gpu) const { return y + gpu * y_count(); }
  const float4 *x4() const { return reinterpret_cast<const float4 *>(x); }

  // Queues the kernels that lead to what this GPU adds to Y.
  void find_outputs() {
    forward<8, 4, slice, false><<<dim3(slices(), groups), 128>>>(
        x4(), reinterpret_cast<const float4 *>(w), part, rows, columns / 4);
    CUDA_CHECK(cudaGetLastError());
    sum_parts<<<blocks_for(y_count(), 256), 256>>>(part, slices(), y_of(number), y_count());
    CUDA_CHECK(cudaGetLastError());
  }
  // Queues all that follows once y is complete: the errors, then this GPU's columns of the weights.
  void update_weights(double rate) {
    CUDA_CHECK(cudaMemsetAsync(loss, 0, sizeof(double)));
    errors_and_loss<<<blocks_for(y_count(), 256), 256>>>(y, gpus, target, error, loss, y_count(),
                                                         y_count());
    CUDA_CHECK(cudaGetLastError());
    backward<8, 128, false><<<dim3(blocks_for(columns / 4, 128), slabs), 128>>>(
        x4(), error, reinterpret_cast<float4 *>(part), rows, columns / 4, blocks_for(rows, slabs));
    CUDA_CHECK(cudaGetLastError());
    const int count = outputs * columns;
    descend<<<blocks_for(count, 256), 256>>>(w, part, slabs, rate * 2 / y_count(), count);
    CUDA_CHECK(cudaGetLastError());
  }
};
using ColumnGpus = std::list<ColumnGpu>;

// The first `count` GPUs, each with its share of the columns, in groups of four.
inline ColumnGpus column_gpus_for(int count, int rows, int features) {
  ColumnGpus gpus;
  const int fours = columns_for(features) / 4;
  for (int gpu = 0, first = 0; gpu < count; ++gpu) {
    CUDA_CHECK(cudaSetDevice(gpu));
    const int share = 4 * (fours / count + (gpu < fours % count));
    gpus.emplace_back(gpu, count, rows, first, share, features);
    first += share;
  }
  return gpus;
}

inline void step(ColumnGpus &gpus, double rate) {
  for (ColumnGpu &gpu : gpus) {
    CUDA_CHECK(cudaSetDevice(gpu.number));
    for (const ColumnGpu &other : gpus) // of the step before; in the first step nobody waits
      CUDA_CHECK(cudaStreamWaitEvent(nullptr, other.copied));
    gpu.find_outputs();
    CUDA_CHECK(cudaEventRecord(gpu.summed));
  }
  for (ColumnGpu &gpu : gpus) {
    CUDA_CHECK(cudaSetDevice(gpu.number));
    for (const ColumnGpu &other : gpus) {
      if (&other == &gpu)
        continue;
      CUDA_CHECK(cudaStreamWaitEvent(nullptr, other.summed));
      CUDA_CHECK(cudaMemcpyPeerAsync(gpu.y_of(other.number), gpu.number, other.y_of(other.number),
                                     other.number, gpu.y_count() * sizeof(float)));
    }
    CUDA_CHECK(cudaEventRecord(gpu.copied));
    gpu.update_weights(rate);
  }
}

inline void synchronize(const ColumnGpus &gpus) {
  for (const ColumnGpu &gpu : gpus) {
    CUDA_CHECK(cudaSetDevice(gpu.number));
    CUDA_CHECK(cudaDeviceSynchronize());
  }
}

// Whether the first step was right: each GPU's errors and loss, and all weights.
inline bool verify_first_step(const char *what, const ColumnGpus &gpus, double rate, int features) {
  const int columns = columns_for(features);
  std::vector<float> weights(outputs * columns);
  for (const ColumnGpu &gpu : gpus)
    CUDA_CHECK(cudaMemcpy2D(weights.data() + gpu.first, columns * sizeof(float), gpu.w,
                            gpu.columns * sizeof(float), gpu.columns * sizeof(float), outputs,
                            cudaMemcpyDeviceToHost));
  bool correct = true;
  for (const ColumnGpu &gpu : gpus) {
    std::vector<float> errors(gpu.y_count());
    double loss;
    CUDA_CHECK(cudaMemcpy(errors.data(), gpu.error, errors.size() * sizeof(float),
                          cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(&loss, gpu.loss, sizeof loss, cudaMemcpyDeviceToHost));
    correct = verify_step(what, rate, features, errors, weights, loss) && correct;
  }
  return correct;
}
