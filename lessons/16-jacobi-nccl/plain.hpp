// The mesh of lesson 15 on one device, as plainly as can be, without parts, halo or MPI: what the
// ranks are compared with. The mesh has `ny` rows of `nx` cells. Its rows have a periodic boundary:
// after the last comes the first. Its first and its last column have a fixed one.
#pragma once

#include "common/check.hpp"

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

// The start values of `count` rows from row `first` on, `pitch` floats from row to row: 0, but for
// the two fixed columns, which hold one wave of a sine over the rows. `first` may be negative, by
// `ny` at most: row -1 is the last one.
inline std::vector<float> start_values(int nx, int pitch, int ny, int first, int count) {
  std::vector<float> values(std::size_t(count) * pitch, 0.0f);
  for (int y = 0; y < count; ++y) {
    float *const row = &values[std::size_t(y) * pitch];
    const int number = (first + y + ny) % ny + 1;
    row[0] = row[nx - 1] = float(std::sin(2 * 3.14159265358979323846 * number / (ny + 1)));
  }
  return values;
}

__global__ void plain_step(const float *now, float *next, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || x >= nx - 1 || y >= ny)
    return;
  const auto at = [=](int row, int column) { return now[std::size_t(row) * nx + column]; };
  next[std::size_t(y) * nx + x] =
      0.25f *
      (at(y, x - 1) + at(y, x + 1) + at(y > 0 ? y - 1 : ny - 1, x) + at(y < ny - 1 ? y + 1 : 0, x));
}

struct PlainRun {
  std::vector<float> values; // all rows, without padding
  double residual;           // of the last step
};

// `steps` steps, at least one.
inline PlainRun plain_run(int nx, int ny, int steps) {
  std::vector<float> values = start_values(nx, nx, ny, 0, ny), before(values.size());
  const std::size_t bytes = values.size() * sizeof(float);
  float *d_now, *d_next;
  CUDA_CHECK(cudaMalloc(&d_now, bytes));
  CUDA_CHECK(cudaMalloc(&d_next, bytes));
  CUDA_CHECK(cudaMemcpy(d_now, values.data(), bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_next, values.data(), bytes, cudaMemcpyHostToDevice));
  const dim3 block(32, 8), grid((nx + 31) / 32, (ny + 7) / 8);
  for (int step = 0; step < steps; ++step) {
    plain_step<<<grid, block>>>(d_now, d_next, nx, ny);
    CUDA_CHECK(cudaGetLastError());
    std::swap(d_now, d_next);
  }
  CUDA_CHECK(cudaMemcpy(values.data(), d_now, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(before.data(), d_next, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_now));
  CUDA_CHECK(cudaFree(d_next));
  double squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float change = values[i] - before[i];
    squares += double(change) * change;
  }
  return {std::move(values), std::sqrt(squares)};
}
