// What the three programs of the lesson share: the layer in device memory, the two small kernels of
// a step, and the proof of a step.
#pragma once

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/timer.hpp"
#include "lessons/12-linear-layer/data.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

inline int blocks_for(int n, int block) { return (n + block - 1) / block; }

// sum += a b, as vectors: four multiply-adds.
__device__ inline void add_product(float &sum, float4 a, float4 b) {
  sum += a.x * b.x;
  sum += a.y * b.y;
  sum += a.z * b.z;
  sum += a.w * b.w;
}
// sum += a b, with a number a: four multiply-adds.
__device__ inline void add_product(float4 &sum, float a, float4 b) {
  sum.x += a * b.x;
  sum.y += a * b.y;
  sum.z += a * b.z;
  sum.w += a * b.w;
}

// Adds each of the values over the lanes of a warp, and stores the first `stored` sums. While their
// number is even two lanes share the work: one sends the upper half of its values and goes on with
// the lower half, the other one the opposite. So 80 values take 80 shuffles, and not 400. `first`
// is the number of the first value that this lane still has.
template <int count, int away = 16>
__device__ void store_lane_sums(float *mine, float *to, int stored, int first = 0) {
  const int lane = threadIdx.x % 32;
  if constexpr (away == 0) { // neighbours with the same values all have the sums
    for (int i = 0; i < count; ++i)
      if (first + i < stored)
        to[first + i] = mine[i];
  } else if constexpr (count % 2 == 0) {
    const bool upper = lane & away;
    for (int i = 0; i < count / 2; ++i) {
      const float low = mine[i], high = mine[count / 2 + i];
      mine[i] = (upper ? high : low) + __shfl_xor_sync(~0u, upper ? low : high, away);
    }
    store_lane_sums<count / 2, away / 2>(mine, to, stored, upper ? first + count / 2 : first);
  } else {
    for (int i = 0; i < count; ++i)
      mine[i] += __shfl_xor_sync(~0u, mine[i], away);
    store_lane_sums<count, away / 2>(mine, to, lane & away ? 0 : stored, first);
  }
}

// error = Y - T; Y is the sum of its parts. Adds the sum of the squares / `all` to *loss.
__global__ void errors_and_loss(const float *part, int parts, const float *target, float *error,
                                double *loss, int count, int all) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double e = 0;
  if (i < count) {
#pragma unroll 8 // eight loads in flight
    for (int p = 0; p < parts; ++p)
      e += part[p * count + i];
    error[i] = e -= target[i];
  }
  double squares = e * e / all;
  for (int away = 16; away > 0; away /= 2)
    squares += __shfl_down_sync(~0u, squares, away);
  if (threadIdx.x % 32 == 0)
    atomicAdd(loss, squares);
}

// One step down: W -= factor * (the sum of the parts).
__global__ void descend(float *w, const float *part, int parts, double factor, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  double sum = 0;
#pragma unroll 8
  for (int p = 0; p < parts; ++p)
    sum += part[p * count + i];
  w[i] -= factor * sum;
}

constexpr int most_examples = 50'000, most_features = 100'000; // so that places fit in an int

// Some rows or columns of all: those from `first` on.
struct Range {
  int first, count;
};

// X, W, T and what a step needs besides. All matrices are row-major, W has a row for each output.
// A layer has all rows of X and T, or some of them: then loss and gradient are its share of those
// of all rows. It has all columns of X and W, or some of them.
struct Layer {
  int all_rows, features;
  int first_row, rows, first_column, columns, fours; // columns = 4 * fours
  float *x, *w, *target, *error, *part;
  double *loss;
  std::size_t part_bytes;

  // Both passes leave partial sums: at most y_parts matrices like Y, at most w_parts like W.
  Layer(int its_rows, int its_features, int y_parts, int w_parts)
      : Layer(its_rows, its_features, {0, its_rows}, {0, columns_for(its_features)}, y_parts,
              w_parts) {}
  Layer(int rows_in_all, int its_features, Range its_rows, Range its_columns, int y_parts,
        int w_parts)
      : all_rows(rows_in_all), features(its_features), first_row(its_rows.first),
        rows(its_rows.count), first_column(its_columns.first), columns(its_columns.count),
        fours(columns / 4) {
    const std::size_t parts = std::max(std::size_t(y_parts) * rows, std::size_t(w_parts) * columns);
    for (const auto &[memory, count] : {std::pair{&x, std::size_t(rows) * columns},
                                        {&w, std::size_t(outputs) * columns},
                                        {&target, std::size_t(rows) * outputs},
                                        {&error, std::size_t(rows) * outputs},
                                        {&part, parts * outputs}})
      CUDA_CHECK(cudaMalloc(memory, count * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&loss, sizeof(double)));
    fill_inputs<<<dim3(blocks_for(columns, 256), rows), 256>>>(x, first_row, first_column, columns,
                                                               features);
    fill_targets<<<blocks_for(rows * outputs, 256), 256>>>(target, first_row, rows * outputs);
    CUDA_CHECK(cudaGetLastError());
    part_bytes = parts * outputs * sizeof(float);
    reset();
    forget_results();
  }
  ~Layer() {
    for (float *memory : {x, w, target, error, part})
      cudaFree(memory);
    cudaFree(loss);
  }
  Layer(const Layer &) = delete;
  Layer &operator=(const Layer &) = delete;

  void reset() {
    fill_weights<<<dim3(blocks_for(columns, 256), outputs), 256>>>(w, first_column, columns,
                                                                   features);
    CUDA_CHECK(cudaGetLastError());
  }
  // NaN in place of all results: what nobody writes shows.
  void forget_results() {
    CUDA_CHECK(cudaMemset(error, 0xFF, rows * outputs * sizeof(float)));
    CUDA_CHECK(cudaMemset(part, 0xFF, part_bytes));
  }
  const float4 *x4() const { return reinterpret_cast<const float4 *>(x); }
  const float4 *w4() const { return reinterpret_cast<const float4 *>(w); }
  float4 *part4() const { return reinterpret_cast<float4 *>(part); }

  // From the parts of Y to the errors, and to the loss: their mean square, over all rows.
  void find_errors(int parts) { find_errors(part, parts); }
  void find_errors(const float *from, int parts) {
    const int count = rows * outputs;
    CUDA_CHECK(cudaMemsetAsync(loss, 0, sizeof(double)));
    errors_and_loss<<<blocks_for(count, 256), 256>>>(from, parts, target, error, loss, count,
                                                     all_rows * outputs);
    CUDA_CHECK(cudaGetLastError());
  }
  // From the parts of E^T X to the new weights. The gradient is 2 / (elements of E) times E^T X,
  // over all rows; a step subtracts `rate` times that.
  double factor(double rate) const { return rate * 2 / (all_rows * outputs); }
  void update_weights(int parts, double rate) { update_weights(part, parts, rate); }
  void update_weights(const float *from, int parts, double rate) {
    const int count = outputs * columns;
    descend<<<blocks_for(count, 256), 256>>>(w, from, parts, factor(rate), count);
    CUDA_CHECK(cudaGetLastError());
  }
  std::size_t bytes() const { return std::size_t(rows) * columns * sizeof(float); } // of X
  // The yardstick: bytes per second, read and written, that a copy of X moves, or of its first GiB.
  double copy_rate() const {
    const std::size_t size = std::min(bytes(), std::size_t(1) << 30);
    float *copy;
    CUDA_CHECK(cudaMalloc(&copy, size));
    const double seconds = course::gpu_seconds(course::size(9, 3), [&] {
      CUDA_CHECK(cudaMemcpyAsync(copy, x, size, cudaMemcpyDeviceToDevice));
    });
    CUDA_CHECK(cudaFree(copy));
    return 2 * size / seconds;
  }
  double last_loss() const {
    double value;
    CUDA_CHECK(cudaMemcpy(&value, loss, sizeof value, cudaMemcpyDeviceToHost));
    return value;
  }

  std::vector<float> errors() const { return on_host(error, std::size_t(rows) * outputs); }
  std::vector<float> weights() const { return on_host(w, std::size_t(columns) * outputs); }
  bool verify_first_step(const char *what, double rate) const; // of a layer with all rows

private:
  static std::vector<float> on_host(const float *memory, std::size_t count) {
    std::vector<float> values(count);
    CUDA_CHECK(cudaMemcpy(values.data(), memory, count * sizeof(float), cudaMemcpyDeviceToHost));
    return values;
  }
};

// Whether got is want, up to one millionth of the terms' absolute values. A NaN is not.
inline bool near(const char *what, const char *name, int i, double got, double want, double terms) {
  if (std::abs(got - want) <= 1e-6 * terms)
    return true;
  std::printf("  %s: %s[%d] is %.10g, but should be %.10g\n", what, name, i, got, want);
  return false;
}

// Whether the first step from the first weights, at this rate, was right: e are the errors of all
// rows, new_w the weights after the step. The host computes it in double: the errors of some rows;
// then, from all errors, the loss and some columns of W. Of a layer with up to 199 rows and 2199
// columns these are all; odd steps, so that no place in a tile is left out.
inline bool verify_step(const char *what, double rate, int features, const std::vector<float> &e,
                        const std::vector<float> &new_w, double loss) {
  const int rows = e.size() / outputs, columns = columns_for(features);
  double squares = 0;
  for (float value : e)
    squares += double(value) * value / e.size();
  bool correct = near(what, "loss", 0, loss, squares, squares);

  const int row_step = rows / 100 | 1, column_step = columns / 1100 | 1;
  for (int row = rows - 1; row >= 0 && correct; row -= row_step)
    for (int o = 0; o < outputs; ++o) {
      double y = -number(TARGET, row * outputs + o), terms = std::abs(y);
      for (int column = 0; column < columns; ++column) {
        const double term =
            double(input(row, column, features)) * first_weight(o, column, features);
        y += term;
        terms += std::abs(term);
      }
      correct = near(what, "error", row * outputs + o, e[row * outputs + o], y, terms) && correct;
    }
  const double factor = rate * 2 / (rows * outputs);
  for (int column = columns - 1; column >= 0 && correct; column -= column_step)
    for (int o = 0; o < outputs; ++o) {
      const int i = o * columns + column;
      double wanted = first_weight(o, column, features), terms = std::abs(wanted);
      for (int row = 0; row < rows; ++row) {
        const double term = factor * e[row * outputs + o] * input(row, column, features);
        wanted -= term;
        terms += std::abs(term);
      }
      correct = near(what, "w", i, new_w[i], wanted, terms) && correct;
    }
  return correct;
}

inline bool Layer::verify_first_step(const char *what, double rate) const {
  return verify_step(what, rate, features, errors(), weights(), last_loss());
}
