// The numbers of the layer, the same in each program, on each machine, and in Python: each comes
// from an integer hash of its place, and a float holds it exactly.
#pragma once

#include <cuda_runtime.h>

constexpr int outputs = 10; // of the layer, for each example

// Number i of a kind, from -1 to 1. The hash is C. Wellons's lowbias32.
enum Kind : unsigned { INPUT, TARGET, WEIGHT, NOISE };
__host__ __device__ inline float number(Kind kind, unsigned i) {
  unsigned hash = i + kind * 0x9e3779b9u;
  hash = (hash ^ hash >> 16) * 0x7feb352du;
  hash = (hash ^ hash >> 15) * 0x846ca68bu;
  hash ^= hash >> 16;
  return (hash >> 8) * 0x1p-23f - 1;
}

// X has a row for each example and a column for each feature. One column more holds ones: its
// weight is the bias. Zeros follow, up to a multiple of 4 columns, so that each row begins at a
// multiple of 16 bytes.
inline int columns_for(int features) { return (features + 1 + 3) / 4 * 4; }

__host__ __device__ inline float input(int row, int column, int features) {
  return column < features ? number(INPUT, unsigned(row) * features + column) : column == features;
}
__host__ __device__ inline float first_weight(int output, int column, int features) {
  return column > features ? 0 : number(WEIGHT, output * (features + 1) + column) * 0x1p-8f;
}

// The same on the device, from a first row and column on. A block fills part of a row.
__global__ void fill_inputs(float *x, int first_row, int first_column, int columns, int features) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column < columns)
    x[size_t(blockIdx.y) * columns + column] =
        input(first_row + blockIdx.y, first_column + column, features);
}
__global__ void fill_weights(float *w, int first_column, int columns, int features) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column < columns)
    w[blockIdx.y * columns + column] = first_weight(blockIdx.y, first_column + column, features);
}
__global__ void fill_targets(float *target, int first_row, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    target[i] = number(TARGET, first_row * outputs + i);
}
