// What the programs of the lesson share: a GPU with its share of lesson 12's layer.
#pragma once

#include "common/verify.hpp"
#include "lessons/12-linear-layer/passes.hpp"

#include <list>
#include <string>

constexpr int slice = 256, groups = 12, slabs = 10; // as in lesson 12

// gradient = the sum of its parts.
__global__ void sum_parts(const float *part, int parts, float *gradient, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float sum = 0;
  for (int p = 0; p < parts; ++p)
    sum += part[p * count + i];
  gradient[i] = sum;
}

// A GPU and what it holds. Each GPU has a default stream of its own, and all of its work is there.
struct Gpu {
  int device;
  Layer layer;
  float *gradient; // of its own rows; on the first GPU there is room for those of all GPUs
  cudaEvent_t done;

  // For the current device.
  Gpu(int its_device, Rows rows, int features, int gradients)
      : device(its_device),
        layer(rows, features, blocks_for(columns_for(features) / 4, slice), slabs) {
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
    const int slices = blocks_for(layer.fours, slice), rows = layer.rows;
    forward<8, 4, slice, false>
        <<<dim3(slices, groups), 128>>>(layer.x4(), layer.w4(), layer.part, rows, layer.fours);
    CUDA_CHECK(cudaGetLastError());
    layer.find_errors(slices);
    backward<8, 128, false><<<dim3(blocks_for(layer.fours, 128), slabs), 128>>>(
        layer.x4(), layer.error, layer.part4(), rows, layer.fours, blocks_for(rows, slabs));
    CUDA_CHECK(cudaGetLastError());
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
    gpus.emplace_back(device, Rows{first, share, rows}, features, device == 0 ? count : 1);
    first += share;
  }
  return gpus;
}

inline void synchronize(const Gpus &gpus) {
  for (const Gpu &gpu : gpus) {
    CUDA_CHECK(cudaSetDevice(gpu.device));
    CUDA_CHECK(cudaDeviceSynchronize());
  }
}

// Whether the first step was right: the errors of all examples, the loss, and each GPU's weights.
inline bool verify_first_step(const char *what, const Gpus &gpus, double rate) {
  const Layer &first = gpus.front().layer;
  const std::vector<float> weights = first.weights();
  std::vector<float> errors;
  double loss = 0;
  bool same = true;
  for (const Gpu &gpu : gpus) {
    const std::vector<float> its_errors = gpu.layer.errors(), its_weights = gpu.layer.weights();
    errors.insert(errors.end(), its_errors.begin(), its_errors.end());
    loss += gpu.layer.last_loss();
    same =
        course::verify(("weights of GPU " + std::to_string(gpu.device)).c_str(), its_weights.data(),
                       its_weights.size(), [&](std::size_t i) { return weights[i]; }) &&
        same;
  }
  return verify_step(what, rate, first.features, errors, weights, loss) && same;
}
