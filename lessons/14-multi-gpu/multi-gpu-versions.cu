// Lesson 14, versions: a training step of one layer on all GPUs of the node, in four versions.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/14-multi-gpu/multi-gpu-versions.cu -o multi-gpu-versions
// Run:   ./multi-gpu-versions
#include "common/buffer.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <deque>
#include <string>
#include <vector>

constexpr int OUTPUTS = 10;      // of the layer, for each example
constexpr int MAX_GPUS = 16;     // that this program uses
constexpr int SLICE = 256;       // float4s of a row that a block of `forward` multiplies
constexpr int ROWS = 8;          // rows that a thread works on at the same time
constexpr int SLABS = 10;        // groups of rows in `backward`
constexpr float FIRST = 0x1p-16; // factor of the step that is verified: a power of two
constexpr float SMALL = 0x1p-30; // factor of the steps that are timed: the weights stay small

int blocks_for(int n, int block) { return (n + block - 1) / block; }

// The data: multiples of 1/4. Each kind sums up to 0 over its period, so the sums stay small, and
// all sums of the first step are exact in float, in any order.
__host__ __device__ float x_at(int row, int column) {
  return (5 * row + 2 * column) % 9 * 0.25f - 1;
}
__host__ __device__ float w_at(int output, int column) {
  return (2 * output + 7 * column) % 13 * 0.25f - 1.5f;
}
__host__ __device__ float target_at(int row, int output) {
  return (3 * row + output) % 11 * 0.25f - 1.25f;
}

template <float (*value)(int, int)>
__global__ void fill(float *matrix, int first_row, int rows, int first_column, int columns) {
  const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < std::size_t(rows) * columns)
    matrix[i] = value(first_row + i / columns, first_column + i % columns);
}

// A share of a matrix of the data, in the memory of the current device.
template <float (*value)(int, int)>
course::Buffer<float> share_of(int first_row, int rows, int first_column, int columns) {
  course::Buffer<float> matrix(std::size_t(rows) * columns);
  fill<value>
      <<<(matrix.size() + 255) / 256, 256>>>(matrix.data(), first_row, rows, first_column, columns);
  CUDA_CHECK(cudaGetLastError());
  return matrix;
}

// Device memory for `count` matrices of n floats. All bits are 1, so all floats are NaN.
course::Buffer<float> matrices(std::size_t count, std::size_t n) {
  course::Buffer<float> floats(count * n);
  CUDA_CHECK(cudaMemset(floats.data(), 0xFF, floats.bytes()));
  return floats;
}

// A GPU and its share of the examples. Data parallel: all columns of some rows. Model parallel:
// some columns of all rows.
struct Gpu {
  int device, first_row, rows, first_column, columns;
  course::Buffer<float> x, w, target; // rows x columns, OUTPUTS x columns, rows x OUTPUTS
  course::Buffer<float> y_parts;      // partial sums of Y = X W^T, one matrix per slice
  course::Buffer<float> error;        // E = target - Y
  course::Buffer<float> w_parts;      // partial sums of the gradient E^T X, one matrix per slab
  course::Buffer<float> gradient;     // of its rows; GPU 0 has room for the gradients of all GPUs
  course::Buffer<float> y;            // model parallel: the partial sums of Y, one matrix per GPU
  cudaStream_t stream;
  cudaEvent_t done, copied;

  // For the current device, which is `device`.
  Gpu(int device, int gpus, int first_row, int rows, int first_column, int columns)
      : device(device), first_row(first_row), rows(rows), first_column(first_column),
        columns(columns), x(share_of<x_at>(first_row, rows, first_column, columns)),
        w(share_of<w_at>(0, OUTPUTS, first_column, columns)),
        target(share_of<target_at>(first_row, rows, 0, OUTPUTS)),
        y_parts(matrices(slices(), outputs())), error(matrices(1, outputs())),
        w_parts(matrices(SLABS, weights())), gradient(matrices(device == 0 ? gpus : 1, weights())),
        y(matrices(gpus, outputs())) {
    CUDA_CHECK(cudaStreamCreate(&stream));
    CUDA_CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    CUDA_CHECK(cudaEventCreateWithFlags(&copied, cudaEventDisableTiming));
    CUDA_CHECK(cudaDeviceSynchronize());
  }
  ~Gpu() {
    cudaStreamDestroy(stream);
    cudaEventDestroy(done);
    cudaEventDestroy(copied);
  }
  Gpu(const Gpu &) = delete;
  Gpu &operator=(const Gpu &) = delete;

  int fours() const { return columns / 4; }
  int slices() const { return blocks_for(fours(), SLICE); }
  int weights() const { return OUTPUTS * columns; }
  int outputs() const { return OUTPUTS * rows; }
};
using Gpus = std::deque<Gpu>; // does not move its elements

// Two lanes share 2 * half sums: one sends the upper half and keeps the lower half, the other one
// does the opposite. kept: the index of the first sum that this lane still has.
template <int half, int away> __device__ void halve(float *sum, int &kept) {
  const bool upper = threadIdx.x & away;
  for (int i = 0; i < half; ++i) {
    const float low = sum[i], high = sum[half + i];
    sum[i] = (upper ? high : low) + __shfl_xor_sync(0xffffffff, upper ? low : high, away);
  }
  kept += upper ? half : 0;
}

// Y = X W^T. A block has a slice of the weights in shared memory. Each of its four warps multiplies
// ROWS rows with it at a time.
__global__ void __launch_bounds__(128)
    forward(const float4 *x, const float4 *w, float *y_parts, int rows, int fours) {
  __shared__ float4 weights[OUTPUTS][SLICE];
  const int first = blockIdx.x * SLICE, width = min(SLICE, fours - first), lane = threadIdx.x % 32;
  for (int i = threadIdx.x; i < OUTPUTS * width; i += 128)
    weights[i / width][i % width] = w[i / width * fours + first + i % width];
  __syncthreads();
  for (int row = ROWS * (blockIdx.y * 4 + threadIdx.x / 32); row < rows;
       row += ROWS * 4 * gridDim.y) {
    float sum[ROWS * OUTPUTS] = {};
    for (int k = lane; k < width; k += 32) {
      float4 mine[ROWS];
      for (int r = 0; r < ROWS; ++r)
        mine[r] = x[min(row + r, rows - 1) * fours + first + k];
      for (int o = 0; o < OUTPUTS; ++o) {
        const float4 v = weights[o][k];
        for (int r = 0; r < ROWS; ++r) {
          float &s = sum[r * OUTPUTS + o];
          s += mine[r].x * v.x;
          s += mine[r].y * v.y;
          s += mine[r].z * v.z;
          s += mine[r].w * v.w;
        }
      }
    }
    int kept = 0; // 80 sums over 32 lanes: 80 shuffles, and not 400
    halve<40, 16>(sum, kept);
    halve<20, 8>(sum, kept);
    halve<10, 4>(sum, kept);
    halve<5, 2>(sum, kept);
    for (int i = 0; i < 5; ++i) {
      sum[i] += __shfl_xor_sync(0xffffffff, sum[i], 1);
      if (lane % 2 == 0 && kept + i < (rows - row) * OUTPUTS)
        y_parts[(blockIdx.x * rows + row) * OUTPUTS + kept + i] = sum[i];
    }
  }
}

// to = base + factor * (the sum of the parts). Without a base, it is 0.
__global__ void add_parts(const float *base, double factor, const float *parts, int count,
                          float *to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double sum = 0;
#pragma unroll 8 // eight loads in flight
  for (int p = 0; p < count; ++p)
    sum += parts[p * n + i];
  to[i] = (base ? base[i] : 0) + factor * sum;
}

// The gradient E^T X. A block adds 4 x 128 columns over a slab of rows, 64 errors at a time.
__global__ void __launch_bounds__(128)
    backward(const float4 *x, const float *error, float4 *w_parts, int rows, int fours, int slab) {
  constexpr int CHUNK = 64;
  __shared__ float e[OUTPUTS][CHUNK + 4];
  const int k = blockIdx.x * 128 + threadIdx.x, end = min(rows, int(blockIdx.y + 1) * slab);
  float4 sum[OUTPUTS] = {};
  for (int first = blockIdx.y * slab; first < end; first += CHUNK) {
    __syncthreads(); // the errors of the previous chunk are no longer needed
    for (int i = threadIdx.x; i < CHUNK * OUTPUTS; i += 128)
      e[i % OUTPUTS][i / OUTPUTS] =
          first * OUTPUTS + i < end * OUTPUTS ? error[first * OUTPUTS + i] : 0;
    __syncthreads();
#pragma unroll 1 // else the compiler moves the loads of several iterations together
    for (int row = 0; row < CHUNK && first + row < end && k < fours; row += ROWS) {
      float4 mine[ROWS];
      for (int r = 0; r < ROWS; ++r)
        mine[r] = x[min(first + row + r, rows - 1) * fours + k];
      for (int o = 0; o < OUTPUTS; ++o)
        for (int r = 0; r < ROWS; ++r) {
          sum[o].x += e[o][row + r] * mine[r].x;
          sum[o].y += e[o][row + r] * mine[r].y;
          sum[o].z += e[o][row + r] * mine[r].z;
          sum[o].w += e[o][row + r] * mine[r].w;
        }
    }
  }
  for (int o = 0; o < OUTPUTS && k < fours; ++o)
    w_parts[(blockIdx.y * OUTPUTS + o) * fours + k] = sum[o];
}

struct Addresses {
  float *gradient[MAX_GPUS], *w[MAX_GPUS];
};
// Weights `first` to `end` - 1 of all GPUs: loads the gradients from the memory of all GPUs, and
// stores the new weights there.
// [all]
__global__ void update_on_all(Addresses of, int gpus, int mine, double factor, int first, int end) {
  const int i = first + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= end)
    return;
  double sum = 0;
  for (int gpu = 0; gpu < gpus; ++gpu)
    sum += of.gradient[gpu][i];
  const float w = of.w[mine][i] + factor * sum;
  for (int gpu = 0; gpu < gpus; ++gpu)
    of.w[gpu][i] = w;
}
// [end]

float4 *in_fours(const course::Buffer<float> &matrix) {
  return reinterpret_cast<float4 *>(matrix.data());
}

void launch_forward(const Gpu &gpu) {
  forward<<<dim3(gpu.slices(), 12), 128, 0, gpu.stream>>>(
      in_fours(gpu.x), in_fours(gpu.w), gpu.y_parts.data(), gpu.rows, gpu.fours());
  CUDA_CHECK(cudaGetLastError());
}

void launch_add(const Gpu &gpu, const float *base, double factor,
                const course::Buffer<float> &parts, int count, float *to, int n) {
  add_parts<<<blocks_for(n, 256), 256, 0, gpu.stream>>>(base, factor, parts.data(), count, to, n);
  CUDA_CHECK(cudaGetLastError());
}

void launch_backward(const Gpu &gpu) {
  backward<<<dim3(blocks_for(gpu.fours(), 128), SLABS), 128, 0, gpu.stream>>>(
      in_fours(gpu.x), gpu.error.data(), in_fours(gpu.w_parts), gpu.rows, gpu.fours(),
      blocks_for(gpu.rows, SLABS));
  CUDA_CHECK(cudaGetLastError());
}

void wait(const Gpu &gpu, cudaEvent_t event) { CUDA_CHECK(cudaStreamWaitEvent(gpu.stream, event)); }
void record(const Gpu &gpu, cudaEvent_t event) { CUDA_CHECK(cudaEventRecord(event, gpu.stream)); }

// Data parallel, the first half of a step: each GPU finds the gradient of its rows.
void find_gradients(const Gpus &gpus) {
  for (const Gpu &gpu : gpus) {
    CUDA_CHECK(cudaSetDevice(gpu.device));
    launch_forward(gpu);
    launch_add(gpu, gpu.target.data(), -1, gpu.y_parts, gpu.slices(), gpu.error.data(),
               gpu.outputs());
    launch_backward(gpu);
    launch_add(gpu, nullptr, 1, gpu.w_parts, SLABS, gpu.gradient.data(), gpu.weights());
    record(gpu, gpu.done);
  }
}

// Versions 1 and 2, without and with peer access: GPU 0 copies the gradients, and adds them.
void copies_to_gpu_0(const Gpus &gpus, double factor) {
  find_gradients(gpus);
  const Gpu &first = gpus[0];
  const std::size_t n = first.weights(), bytes = n * sizeof(float);
  for (std::size_t k = 1; k < gpus.size(); ++k) {
    wait(first, gpus[k].done);
    CUDA_CHECK(cudaMemcpyPeerAsync(first.gradient.data() + k * n, 0, gpus[k].gradient.data(),
                                   gpus[k].device, bytes, first.stream));
  }
  CUDA_CHECK(cudaSetDevice(0));
  launch_add(first, first.w.data(), factor, first.gradient, gpus.size(), first.w.data(), n);
  record(first, first.done);
  for (std::size_t k = 1; k < gpus.size(); ++k) {
    wait(gpus[k], first.done);
    CUDA_CHECK(cudaMemcpyPeerAsync(gpus[k].w.data(), gpus[k].device, first.w.data(), 0, bytes,
                                   gpus[k].stream));
  }
}

void all_wait_for_all(const Gpus &gpus) {
  for (const Gpu &gpu : gpus)
    for (const Gpu &other : gpus)
      wait(gpu, other.done);
}

// Version 3: no copies. A kernel on each GPU updates its share of the weights of all GPUs.
void each_updates_its_share(const Gpus &gpus, double factor) {
  find_gradients(gpus);
  all_wait_for_all(gpus);
  Addresses of{};
  for (const Gpu &gpu : gpus) {
    of.gradient[gpu.device] = gpu.gradient.data();
    of.w[gpu.device] = gpu.w.data();
  }
  for (const Gpu &gpu : gpus) {
    const long n = gpu.weights(), count = gpus.size();
    const int first = n * gpu.device / count, end = n * (gpu.device + 1) / count;
    CUDA_CHECK(cudaSetDevice(gpu.device));
    update_on_all<<<blocks_for(end - first, 256), 256, 0, gpu.stream>>>(of, count, gpu.device,
                                                                        factor, first, end);
    CUDA_CHECK(cudaGetLastError());
    record(gpu, gpu.done);
  }
  all_wait_for_all(gpus);
}

// Version 4, model parallel: the GPUs exchange their partial sums of Y.
void columns_divided(const Gpus &gpus, double factor) {
  for (const Gpu &gpu : gpus) {
    CUDA_CHECK(cudaSetDevice(gpu.device));
    for (const Gpu &other : gpus)
      wait(gpu, other.copied); // in the previous step; in the first step these waits end at once
    launch_forward(gpu);
    launch_add(gpu, nullptr, 1, gpu.y_parts, gpu.slices(),
               gpu.y.data() + gpu.device * gpu.outputs(), gpu.outputs());
    record(gpu, gpu.done);
  }
  for (const Gpu &gpu : gpus) {
    const std::size_t n = gpu.outputs();
    for (const Gpu &other : gpus)
      if (other.device != gpu.device) {
        wait(gpu, other.done);
        CUDA_CHECK(cudaMemcpyPeerAsync(gpu.y.data() + other.device * n, gpu.device,
                                       other.y.data() + other.device * n, other.device,
                                       n * sizeof(float), gpu.stream));
      }
    record(gpu, gpu.copied);
  }
  for (const Gpu &gpu : gpus) {
    CUDA_CHECK(cudaSetDevice(gpu.device));
    launch_add(gpu, gpu.target.data(), -1, gpu.y, gpus.size(), gpu.error.data(), gpu.outputs());
    launch_backward(gpu);
    launch_add(gpu, gpu.w.data(), factor, gpu.w_parts, SLABS, gpu.w.data(), gpu.weights());
  }
}

struct Version {
  const char *name;
  void (*step)(const Gpus &gpus, double factor);
  bool peers, by_columns;
};
constexpr Version VERSIONS[] = {{"1 copies, no peer access", copies_to_gpu_0, false, false},
                                {"2 copies, peer access", copies_to_gpu_0, true, false},
                                {"3 no copies", each_updates_its_share, true, false},
                                {"4 columns divided", columns_divided, true, true}};

Gpus set_up(int count, int rows, int columns, bool by_columns) {
  const auto begin = [count](long n, int k) { return int(n * k / count); }; // of the share of k
  Gpus gpus;
  for (int k = 0; k < count; ++k) {
    CUDA_CHECK(cudaSetDevice(k));
    if (by_columns) {
      const int first = 4 * begin(columns / 4, k), end = 4 * begin(columns / 4, k + 1);
      gpus.emplace_back(k, count, 0, rows, first, end - first);
    } else {
      const int first = begin(rows, k), end = begin(rows, k + 1);
      gpus.emplace_back(k, count, first, end - first, 0, columns);
    }
  }
  return gpus;
}

// True if the weights of all GPUs are correct after the first step. The host computes Y for nine
// rows and the gradient for nine columns: then X repeats itself.
bool verify_step(const char *what, const Gpus &gpus, int rows, int columns) {
  double y[9][OUTPUTS] = {}, gradient[OUTPUTS][9] = {};
  for (int row = 0; row < 9; ++row)
    for (int o = 0; o < OUTPUTS; ++o)
      for (int column = 0; column < columns; ++column)
        y[row][o] += double(x_at(row, column)) * w_at(o, column);
  for (int row = 0; row < rows; ++row)
    for (int o = 0; o < OUTPUTS; ++o)
      for (int column = 0; column < 9; ++column)
        gradient[o][column] += (target_at(row, o) - y[row % 9][o]) * x_at(row, column);
  bool correct = true;
  for (const Gpu &gpu : gpus) {
    const std::vector<float> w = gpu.w.to_host();
    correct &= course::verify(what, w.data(), w.size(), [&](std::size_t i) {
      const int o = i / gpu.columns, column = gpu.first_column + i % gpu.columns;
      return float(w_at(o, column) + double(FIRST) * gradient[o][column % 9]);
    });
  }
  return correct;
}

// Enables or disables peer access for all pairs of GPUs that can have it. True if all can.
bool set_peers(int gpus, bool enable) {
  bool all = true;
  for (int device = 0; device < gpus; ++device)
    for (int peer = 0; peer < gpus; ++peer) {
      int possible;
      CUDA_CHECK(cudaDeviceCanAccessPeer(&possible, device, peer));
      CUDA_CHECK(cudaSetDevice(device));
      if (possible)
        CUDA_CHECK(enable ? cudaDeviceEnablePeerAccess(peer, 0)
                          : cudaDeviceDisablePeerAccess(peer));
      all = all && (possible || peer == device);
    }
  return all;
}

// Seconds per step; NaN if the first step is wrong.
double seconds_of(const Version &version, int count, int rows, int columns) {
  const Gpus gpus = set_up(count, rows, columns, version.by_columns);
  const auto run = [&](int steps, double factor) {
    for (int i = 0; i < steps; ++i)
      version.step(gpus, factor);
    for (const Gpu &gpu : gpus)
      CUDA_CHECK(cudaStreamSynchronize(gpu.stream));
  };
  run(1, FIRST);
  const bool correct = verify_step(version.name, gpus, rows, columns);
  const double seconds =
      course::host_seconds(course::problem_size(5, 1), [&] { run(10, SMALL); }) / 10;
  return correct ? seconds : NAN;
}

// All versions on 2 to `gpus` GPUs, compared with one GPU. weak: every GPU has `rows` rows.
bool measure(bool weak, int gpus, int rows, int columns) {
  const std::string kind = weak ? "weak, " : "strong, ";
  const double one = seconds_of(VERSIONS[0], 1, rows, columns);
  bool correct = one > 0;
  course::figure((kind + "1 GPU").c_str(), 1, "times",
                 {.limit = 1, .limit_is = "the ideal", .seconds = one});
  for (int count = 2; count <= gpus; ++count)
    for (const Version &version : VERSIONS) {
      const bool all = version.peers && set_peers(count, true);
      if (version.step == each_updates_its_share && !all)
        std::puts("   3 no copies: not measured, because some pairs have no peer access");
      else {
        const double seconds = seconds_of(version, count, weak ? rows * count : rows, columns);
        correct &= seconds > 0;
        course::figure((kind + std::to_string(count) + " GPUs: " + version.name).c_str(),
                       (weak ? count : 1) * one / seconds, "times",
                       {.limit = double(count), .limit_is = "the ideal", .seconds = seconds});
      }
      if (version.peers)
        set_peers(count, false);
    }
  return correct;
}

int main() {
  course::print_device();
  const int rows = course::problem_size(10'003, 203);     // examples; fewer without a GPU
  const int columns = course::problem_size(100'004, 516); // features: a multiple of 4
  int gpus;
  CUDA_CHECK(cudaGetDeviceCount(&gpus));
  gpus = std::min(gpus, MAX_GPUS);
  std::printf("GPUs: %d; %d examples, %d features, %d outputs\n", gpus, rows, columns, OUTPUTS);
  std::puts("\n   strong scaling: the same examples on more GPUs");
  bool correct = measure(false, gpus, rows, columns);
  std::puts("\n   weak scaling: the same number of examples per GPU");
  correct &= measure(true, gpus, rows, columns);
  return course::verdict(correct);
}
