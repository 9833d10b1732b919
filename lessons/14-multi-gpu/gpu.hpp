// What the programs of the lesson share: a GPU with its share of lesson 12's layer; how a step is
// proved and timed.
#pragma once

#include "common/timer.hpp"
#include "common/verify.hpp"
#include "lessons/12-linear-layer/passes.hpp"

#include <list>
#include <string>

// The passes of lesson 12 over the rows and columns that a layer has, for the current device.
constexpr int slice = 256, groups = 12, slabs = 10;
inline int slices_of(int columns) { return blocks_for(columns / 4, slice); }

inline void launch_forward(const Layer &layer) {
  forward<8, 4, slice, false><<<dim3(slices_of(layer.columns), groups), 128>>>(
      layer.x4(), layer.w4(), layer.part, layer.rows, layer.fours);
  CUDA_CHECK(cudaGetLastError());
}
inline void launch_backward(const Layer &layer) {
  backward<8, 128, false><<<dim3(blocks_for(layer.fours, 128), slabs), 128>>>(
      layer.x4(), layer.error, layer.part4(), layer.rows, layer.fours,
      blocks_for(layer.rows, slabs));
  CUDA_CHECK(cudaGetLastError());
}

// to = the sum of the parts.
__global__ void sum_parts(const float *part, int parts, float *to, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  double sum = 0;
  for (int p = 0; p < parts; ++p)
    sum += part[p * count + i];
  to[i] = sum;
}

// A GPU and what it holds. Each GPU has a default stream of its own, and all of its work is there.
struct Gpu {
  int device;
  Layer layer;     // all columns of some rows
  float *gradient; // of its own rows; on the first GPU there is room for those of all GPUs
  cudaEvent_t done;

  // For the current device.
  Gpu(int its_device, int all_rows, int features, Range rows, int gradients)
      : device(its_device), layer(all_rows, features, rows, {0, columns_for(features)},
                                  slices_of(columns_for(features)), slabs) {
    CUDA_CHECK(cudaMalloc(&gradient, gradients * bytes()));
    CUDA_CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
  }
  ~Gpu() {
    cudaFree(gradient);
    cudaEventDestroy(done);
  }
  int count() const { return outputs * layer.columns; } // of weights
  std::size_t bytes() const { return count() * sizeof(float); }

  // Queues all kernels from this GPU's rows to their share of the gradient.
  void find_gradient() {
    launch_forward(layer);
    layer.find_errors(slices_of(layer.columns));
    launch_backward(layer);
    sum_parts<<<blocks_for(count(), 256), 256>>>(layer.part, slabs, gradient, count());
    CUDA_CHECK(cudaGetLastError());
  }
};
using Gpus = std::list<Gpu>; // where none has to be copied or moved

// The first `count` GPUs, each with its share of the rows: where they cannot be divided evenly, the
// first GPUs have one row more.
inline Gpus gpus_for(int count, int rows, int features) {
  Gpus gpus;
  for (int device = 0, first = 0; device < count; ++device) {
    CUDA_CHECK(cudaSetDevice(device));
    const int share = rows / count + (device < rows % count);
    gpus.emplace_back(device, rows, features, Range{first, share}, device == 0 ? count : 1);
    first += share;
  }
  return gpus;
}

// Whether a GPU has the numbers that the first one has.
inline bool verify_same(const char *numbers, int device, const std::vector<float> &got,
                        const std::vector<float> &first) {
  const std::string what = std::string(numbers) + " of GPU " + std::to_string(device);
  return course::verify(what.c_str(), got.data(), got.size(),
                        [&](std::size_t i) { return first[i]; });
}

// Whether the first step was right: the errors of all examples, the loss, and each GPU's weights.
inline bool verify_first_step(const char *what, const Gpus &gpus, double rate) {
  const Layer &first = gpus.front().layer;
  const std::vector<float> weights = first.weights();
  std::vector<float> errors;
  double loss = 0;
  bool same = true;
  for (const Gpu &gpu : gpus) {
    const std::vector<float> its_errors = gpu.layer.errors();
    errors.insert(errors.end(), its_errors.begin(), its_errors.end());
    loss += gpu.layer.last_loss();
    if (&gpu.layer != &first)
      same = verify_same("weights", gpu.device, gpu.layer.weights(), weights) && same;
  }
  return verify_step(what, rate, first.features, errors, weights, loss) && same;
}

template <class AnyGpus> void synchronize(const AnyGpus &gpus) {
  for (const auto &gpu : gpus) {
    CUDA_CHECK(cudaSetDevice(gpu.device));
    CUDA_CHECK(cudaDeviceSynchronize());
  }
}

// Seconds of step(gpus, rate); NaN where the first one was wrong.
template <class AnyGpus, class Step> double seconds_of(const char *what, AnyGpus &gpus, Step step) {
  const double rate = 1;
  step(gpus, rate);
  synchronize(gpus);
  if (!verify_first_step(what, gpus, rate))
    return NAN;
  const int steps = 10;
  return course::host_seconds(course::size(5, 1),
                              [&] {
                                for (int i = 0; i < steps; ++i)
                                  step(gpus, rate);
                                synchronize(gpus);
                              }) /
         steps;
}
