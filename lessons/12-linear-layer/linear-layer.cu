// Lesson 12: one training step of a linear layer: forward, mean squared error, backward, SGD.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/12-linear-layer/linear-layer.cu -o linear-layer
// Run:   ./linear-layer [examples [features]]
#include "common/arguments.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"
#include "lessons/12-linear-layer/layer.hpp"

// All matrices are row-major. A row of X, or of the weights W, has `fours` float4s.
constexpr int slice = 256, tile = 8, warps = 4, groups = 12; // forward
constexpr int slabs = 10, chunk = 64, at_once = 8;           // backward

// part[s]: what slice s of the columns contributes to Y = X W^T. A warp works on `tile` rows of X.
__global__ void __launch_bounds__(32 * warps)
    forward(const float4 *x, const float4 *w, float *part, int rows, int fours) {
  __shared__ float4 weights[outputs][slice];
  const int first = blockIdx.x * slice, width = min(slice, fours - first), lane = threadIdx.x % 32;
  for (int i = threadIdx.x; i < outputs * width; i += 32 * warps)
    weights[i / width][i % width] = w[i / width * fours + first + i % width];
  __syncthreads();
  const int first_row = tile * (blockIdx.y * warps + threadIdx.x / 32);
  for (int row = first_row; row < rows; row += tile * warps * gridDim.y) {
    // [forward]
    float sum[tile * outputs] = {};
    for (int k = lane; k < width; k += 32) {
      float4 mine[tile];
      for (int r = 0; r < tile; ++r)
        mine[r] = x[min(row + r, rows - 1) * fours + first + k];
      for (int o = 0; o < outputs; ++o)
        for (int r = 0; r < tile; ++r)
          add_product(sum[r * outputs + o], mine[r], weights[o][k]);
    }
    // [end]
    store_lane_sums<tile * outputs>(sum, part + (blockIdx.x * rows + row) * outputs,
                                    (rows - row) * outputs);
  }
}

// part[s]: what slab s of the rows contributes to E^T X. A thread works on four columns of X.
__global__ void __launch_bounds__(128)
    backward(const float4 *x, const float *error, float4 *part, int rows, int fours, int slab) {
  // With padding, so that the stores below have few conflicts.
  __shared__ float e[outputs][chunk + 4];
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  const int end = min(rows, int(blockIdx.y + 1) * slab);
  float4 sum[outputs] = {};
  for (int first = blockIdx.y * slab; first < end; first += chunk) {
    __syncthreads(); // nobody reads the errors of the last chunk any more
    for (int i = threadIdx.x; i < chunk * outputs; i += blockDim.x)
      e[i % outputs][i / outputs] =
          first * outputs + i < end * outputs ? error[first * outputs + i] : 0;
    __syncthreads();
    // [backward]
    for (int row = 0; row < chunk && first + row < end && k < fours; row += at_once) {
      float4 mine[at_once];
      for (int r = 0; r < at_once; ++r)
        mine[r] = x[min(first + row + r, rows - 1) * fours + k];
      for (int o = 0; o < outputs; ++o)
        for (int r = 0; r < at_once; ++r)
          add_product(sum[o], e[o][row + r], mine[r]);
    }
    // [end]
  }
  for (int o = 0; o < outputs && k < fours; ++o)
    part[(blockIdx.y * outputs + o) * fours + k] = sum[o];
}

// Trains for one step, proves it and, where `measure` says so, times it.
bool train_once(int rows, int features, bool measure) {
  std::printf("%d examples, %d features, %d outputs\n", rows, features, outputs);
  const int slices = blocks_for(columns_for(features) / 4, slice);
  const int slab = blocks_for(rows, slabs);
  const double rate = 1;
  Layer layer(rows, features, slices, slabs);
  const auto step = [&] {
    forward<<<dim3(slices, groups), 32 * warps>>>(layer.x4(), layer.w4(), layer.part, rows,
                                                  layer.fours);
    CUDA_CHECK(cudaGetLastError());
    layer.find_errors(slices);
    backward<<<dim3(blocks_for(layer.fours, 128), slabs), 128>>>(
        layer.x4(), layer.error, layer.part4(), rows, layer.fours, slab);
    CUDA_CHECK(cudaGetLastError());
    layer.update_weights(slabs, rate);
  };
  step();
  const bool correct = layer.verify_first_step("step", rate);
  std::printf("   loss %.6f\n", layer.last_loss());
  if (!measure)
    return correct;
  const double copy = layer.copy_rate(), seconds = course::gpu_seconds(course::size(15, 3), step);
  course::figure("copy", 1e-9 * copy, "GB/s");
  course::figure("step: X is read twice", 2e-9 * layer.bytes() / seconds, "GB/s", 1e-9 * copy,
                 "the copy", seconds);
  std::printf("   loss %.6f\n", layer.last_loss());
  return correct;
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 2, "[examples [features]]");
  course::print_device();
  const int rows =
      course::count_argument(argc, argv, 1, "examples", course::size(10'000, 500), most_examples);
  const int features =
      course::count_argument(argc, argv, 2, "features", course::size(100'000, 2000), most_features);
  // Sizes that no tile divides come first: all their errors and weights are compared.
  bool correct = train_once(131, 1067, false);
  correct = train_once(rows, features, true) && correct;
  return course::verdict(correct);
}
