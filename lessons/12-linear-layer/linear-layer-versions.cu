// Lesson 12, versions: the two passes over X of a training step, from one thread per sum to nearly
// the speed of a copy.
//
// Build: nvcc -O3 -std=c++17 -arch=sm_75 -I. lessons/12-linear-layer/linear-layer-versions.cu -o layer-versions -lcublas
// Run:   ./layer-versions [examples]
#include "common/arguments.hpp"
#include "common/buffer.hpp"
#include "common/check.hpp"
#include "common/cublas.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

// All matrices are row-major. X and W have `cols` columns, a multiple of 4, so each row is an array
// of cols / 4 = `fours` float4. A pass writes partial sums, `part`; a small kernel adds them.
constexpr int OUTPUTS = 10;

// sum += a b, as vectors: four multiply-adds.
__device__ void add_product(float &sum, float4 a, float4 b) {
  sum += a.x * b.x;
  sum += a.y * b.y;
  sum += a.z * b.z;
  sum += a.w * b.w;
}
// sum += a b, for a number a: four multiply-adds.
__device__ void add_product(float4 &sum, float a, float4 b) {
  sum.x += a * b.x;
  sum.y += a * b.y;
  sum.z += a * b.z;
  sum.w += a * b.w;
}

// Forward pass, version 1: one thread per element of Y = X W^T.
__global__ void forward_1(const float *x, const float *w, float *y, int n, int cols) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, row = i / OUTPUTS, o = i % OUTPUTS;
  if (row >= n)
    return;
  double sum = 0;
  for (int k = 0; k < cols; ++k)
    sum += double(x[size_t(row) * cols + k]) * w[o * cols + k];
  y[i] = sum;
}

// Versions 2 and 3: a block copies SLICE float4 of every row of W to shared memory. Its warps go
// through the rows of X: the lanes share a row, and each lane adds products for all outputs. Every
// slice leaves a partial sum of Y.
constexpr int SLICE = 256, GROUPS = 12; // GROUPS blocks share the rows of a slice

// Version 2: a warp works on one row of X at a time.
__global__ void __launch_bounds__(256)
    forward_2(const float4 *x, const float4 *w, float *part, int n, int fours) {
  __shared__ float4 weights[OUTPUTS][SLICE];
  const int first = blockIdx.x * SLICE, width = min(SLICE, fours - first), lane = threadIdx.x % 32;
  for (int i = threadIdx.x; i < OUTPUTS * width; i += 256)
    weights[i / width][i % width] = w[i / width * fours + first + i % width];
  __syncthreads();
  for (int row = blockIdx.y * 8 + threadIdx.x / 32; row < n; row += 8 * gridDim.y) {
    float sum[OUTPUTS] = {};
    for (int k = lane; k < width; k += 32) {
      const float4 mine = x[row * fours + first + k];
      for (int o = 0; o < OUTPUTS; ++o)
        add_product(sum[o], mine, weights[o][k]);
    }
    for (int o = 0; o < OUTPUTS; ++o) {
      for (int half = 16; half > 0; half /= 2)
        sum[o] += __shfl_down_sync(0xffffffff, sum[o], half);
      if (lane == 0)
        part[(blockIdx.x * n + row) * OUTPUTS + o] = sum[o];
    }
  }
}

// Two lanes that are AWAY apart add their arrays of 2 COUNT sums. The lower lane keeps the first
// COUNT sums, the upper lane the others. Returns the index of the first sum that this lane keeps.
template <int COUNT, int AWAY> __device__ int halve(float *sum) {
  const bool upper = threadIdx.x & AWAY;
  for (int i = 0; i < COUNT; ++i) {
    const float low = sum[i], high = sum[COUNT + i];
    sum[i] = (upper ? high : low) + __shfl_xor_sync(0xffffffff, upper ? low : high, AWAY);
  }
  return upper ? COUNT : 0;
}

// Version 3: a warp works on eight rows of X at a time, so each weight from shared memory is used
// for eight rows.
constexpr int TILE = 8, SUMS = TILE * OUTPUTS;
__global__ void __launch_bounds__(128)
    forward_3(const float4 *x, const float4 *w, float *part, int n, int fours) {
  __shared__ float4 weights[OUTPUTS][SLICE];
  const int first = blockIdx.x * SLICE, width = min(SLICE, fours - first), lane = threadIdx.x % 32;
  for (int i = threadIdx.x; i < OUTPUTS * width; i += 128)
    weights[i / width][i % width] = w[i / width * fours + first + i % width];
  __syncthreads();
  const int first_row = TILE * (blockIdx.y * 4 + threadIdx.x / 32);
  for (int row = first_row; row < n; row += TILE * 4 * gridDim.y) {
    // [forward-3]
    float sum[SUMS] = {};
    for (int k = lane; k < width; k += 32) {
      float4 mine[TILE];
      for (int r = 0; r < TILE; ++r)
        mine[r] = x[min(row + r, n - 1) * fours + first + k];
      for (int o = 0; o < OUTPUTS; ++o)
        for (int r = 0; r < TILE; ++r)
          add_product(sum[r * OUTPUTS + o], mine[r], weights[o][k]);
    }
    // [end]
    int kept = halve<40, 16>(sum); // of 80 sums, this lane keeps 40
    kept += halve<20, 8>(sum);
    kept += halve<10, 4>(sum);
    kept += halve<5, 2>(sum);
    float *to = part + (blockIdx.x * n + row) * OUTPUTS + kept;
    for (int i = 0; i < 5; ++i) {
      sum[i] += __shfl_xor_sync(0xffffffff, sum[i], 1);
      if (lane % 2 == 0 && kept + i < (n - row) * OUTPUTS) // rows past the end have no result
        to[i] = sum[i];
    }
  }
}

// Backward pass, version 1: one thread per element of E^T X.
__global__ void backward_1(const float *x, const float *e, float *product, int n, int cols) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x, o = blockIdx.y;
  if (k >= cols)
    return;
  double sum = 0;
  for (int row = 0; row < n; ++row)
    sum += double(x[size_t(row) * cols + k]) * e[row * OUTPUTS + o];
  product[o * cols + k] = sum;
}

// Versions 2 and 3: a thread goes down four columns of X, and adds products for all outputs. The
// rows are divided into slabs; every slab leaves a partial sum of E^T X. The errors of CHUNK rows
// are in shared memory; the padding reduces bank conflicts.
constexpr int SLABS = 10, CHUNK = 64;

__device__ void copy_errors(float (*to)[CHUNK + 4], const float *e, int first, int end) {
  __syncthreads(); // no thread reads the errors of the last chunk any more
  for (int i = threadIdx.x; i < CHUNK * OUTPUTS; i += 128)
    to[i % OUTPUTS][i / OUTPUTS] = first * OUTPUTS + i < end * OUTPUTS ? e[first * OUTPUTS + i] : 0;
  __syncthreads();
}

// Version 2: a thread loads AT_ONCE rows, then multiplies them.
template <int AT_ONCE>
__global__ void __launch_bounds__(128)
    backward_2(const float4 *x, const float *error, float4 *part, int n, int fours, int slab) {
  __shared__ float e[OUTPUTS][CHUNK + 4];
  const int k = blockIdx.x * 128 + threadIdx.x, end = min(n, int(blockIdx.y + 1) * slab);
  float4 sum[OUTPUTS] = {};
  for (int first = blockIdx.y * slab; first < end; first += CHUNK) {
    copy_errors(e, error, first, end);
#pragma unroll 1 // otherwise the compiler moves loads of several iterations together
    for (int row = 0; row < CHUNK && first + row < end && k < fours; row += AT_ONCE) {
      float4 mine[AT_ONCE];
      for (int r = 0; r < AT_ONCE; ++r)
        mine[r] = x[min(first + row + r, n - 1) * fours + k];
      for (int o = 0; o < OUTPUTS; ++o)
        for (int r = 0; r < AT_ONCE; ++r)
          add_product(sum[o], e[o][row + r], mine[r]);
    }
  }
  for (int o = 0; o < OUTPUTS && k < fours; ++o)
    part[(blockIdx.y * OUTPUTS + o) * fours + k] = sum[o];
}

// Version 3: loads ahead. A thread loads the next eight rows before it multiplies these eight.
__global__ void __launch_bounds__(128)
    backward_3(const float4 *x, const float *error, float4 *part, int n, int fours, int slab) {
  __shared__ float e[OUTPUTS][CHUNK + 4];
  const int k = blockIdx.x * 128 + threadIdx.x, end = min(n, int(blockIdx.y + 1) * slab);
  float4 sum[OUTPUTS] = {}, mine[TILE], next[TILE] = {};
  const auto load_next = [&](int row) {
    for (int r = 0; r < TILE; ++r)
      next[r] = x[min(row + r, n - 1) * fours + k];
  };
  if (k < fours)
    load_next(blockIdx.y * slab);
  for (int first = blockIdx.y * slab; first < end; first += CHUNK) {
    copy_errors(e, error, first, end);
#pragma unroll 1 // otherwise the compiler moves loads of several iterations together
    for (int row = 0; row < CHUNK && first + row < end && k < fours; row += TILE) {
      for (int r = 0; r < TILE; ++r)
        mine[r] = next[r];
      if (first + row + TILE < end)
        load_next(first + row + TILE);
      for (int o = 0; o < OUTPUTS; ++o)
        for (int r = 0; r < TILE; ++r)
          add_product(sum[o], e[o][row + r], mine[r]);
    }
  }
  for (int o = 0; o < OUTPUTS && k < fours; ++o)
    part[(blockIdx.y * OUTPUTS + o) * fours + k] = sum[o];
}

// E = Y - T, where Y is the sum of its parts. Adds the mean of the squares to *loss.
__global__ void find_errors(const float *part, int parts, const float *t, float *e, double *loss,
                            int errors) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double error = 0;
  if (i < errors) {
#pragma unroll 8 // eight loads in flight
    for (int p = 0; p < parts; ++p)
      error += part[p * errors + i];
    e[i] = error -= t[i];
  }
  double square = error * error / errors;
  for (int half = 16; half > 0; half /= 2)
    square += __shfl_down_sync(0xffffffff, square, half);
  if (threadIdx.x % 32 == 0)
    atomicAdd(loss, square);
}

// W -= factor * (the sum of the parts).
__global__ void update(float *w, const float *part, int parts, double factor, int weights) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= weights)
    return;
  double sum = 0;
#pragma unroll 8
  for (int p = 0; p < parts; ++p)
    sum += part[p * weights + i];
  w[i] -= factor * sum;
}

// Random numbers: -3, -1, 1 or 3, divided by a power of 2, so that no sum is rounded.
std::vector<float> random_numbers(std::mt19937 &random, size_t count, float divisor) {
  std::vector<float> numbers(count);
  for (float &number : numbers)
    number = (2 * int(random() >> 30) - 3) / divisor;
  return numbers;
}

// The matrices of a layer on the host.
struct Layer {
  int n, cols;
  std::vector<float> x, t, w;

  // From one result that is compared with the CPU to the next: 1, or more for a large layer.
  int stride() const { return 1 + x.size() / 10'000'000; }

  bool verify_errors(const std::vector<float> &e) const {
    bool correct = true;
    for (int i = 0; i < n * OUTPUTS; i += stride()) {
      const float *row = &x[size_t(i / OUTPUTS) * cols];
      const double y = std::inner_product(row, row + cols, &w[i % OUTPUTS * cols], 0.0);
      correct &= course::verify_value("error", e[i], y - t[i]);
    }
    return correct;
  }

  // new_w: after a step with the errors e.
  bool verify_weights(const std::vector<float> &e, const std::vector<float> &new_w) const {
    bool correct = true;
    for (int i = 0; i < cols * OUTPUTS; i += stride()) {
      double sum = 0;
      for (int row = 0; row < n; ++row)
        sum += double(e[row * OUTPUTS + i / cols]) * x[size_t(row) * cols + i % cols];
      const double change = 2 * sum / (n * OUTPUTS), want = w[i] - change;
      const double size = std::abs(w[i]) + std::abs(change); // `want` may be near 0
      if (!(std::abs(new_w[i] - want) <= 1e-6 * size))
        correct = course::verify_value("weight", new_w[i], want);
    }
    return correct;
  }
};

// The bandwidth of a copy of `from`, or of its first GiB, in GB/s.
double copy_rate(const course::Buffer<float> &from) {
  const course::Buffer<char> to(std::min(from.bytes(), size_t(1) << 30));
  const double seconds = course::gpu_seconds(course::problem_size(9, 3), [&] {
    CUDA_CHECK(cudaMemcpyAsync(to.data(), from.data(), to.bytes(), cudaMemcpyDeviceToDevice));
  });
  return 2e-9 * to.bytes() / seconds; // reads and writes
}

// A pass over X that writes partial sums.
struct Pass {
  const char *name;
  int parts;
  std::function<void()> launch;
};

// Verifies every version, and measures it if `timed`.
bool train(cublasHandle_t cublas, int n, int cols, bool timed) {
  std::printf("%d examples, %d features, %d outputs\n", n, cols, OUTPUTS);
  const int fours = cols / 4, errors = n * OUTPUTS, weights = cols * OUTPUTS;
  const int slices = (fours + SLICE - 1) / SLICE, slab = (n + SLABS - 1) / SLABS;
  std::mt19937 random;
  const Layer layer{n, cols, random_numbers(random, size_t(n) * cols, 4),
                    random_numbers(random, errors, 4), random_numbers(random, weights, 512)};

  const course::Buffer<float> x(layer.x), t(layer.t), w(weights), e(errors);
  const course::Buffer<float> part(std::max(size_t(slices) * errors, size_t(SLABS) * weights));
  const course::Buffer<double> loss(1);
  const float4 *x4 = reinterpret_cast<float4 *>(x.data());
  const float4 *w4 = reinterpret_cast<float4 *>(w.data());
  float4 *part4 = reinterpret_cast<float4 *>(part.data());

  // cuBLAS expects matrices column by column: read in this way, ours are transposed.
  const float one = 1, zero = 0;
  const auto forward_cublas = [&] { // Y^T = W X^T
    CUBLAS_CHECK(cublasSgemm(cublas, CUBLAS_OP_T, CUBLAS_OP_N, OUTPUTS, n, cols, &one, w.data(),
                             cols, x.data(), cols, &zero, part.data(), OUTPUTS));
  };
  const auto backward_cublas = [&] { // X^T E
    CUBLAS_CHECK(cublasSgemm(cublas, CUBLAS_OP_N, CUBLAS_OP_T, cols, OUTPUTS, n, &one, x.data(),
                             cols, e.data(), OUTPUTS, &zero, part.data(), cols));
  };
  const dim3 slice_grid(slices, GROUPS), slab_grid((fours + 127) / 128, SLABS);
  const auto slabs = [&](auto kernel) {
    return [=, &e] { kernel<<<slab_grid, 128>>>(x4, e.data(), part4, n, fours, slab); };
  };
  const Pass forward[] = {
      {"forward: 1 one thread per output", 1,
       [&] { forward_1<<<(errors + 255) / 256, 256>>>(x.data(), w.data(), part.data(), n, cols); }},
      {"forward: 2 one row per warp", slices,
       [&] { forward_2<<<slice_grid, 256>>>(x4, w4, part.data(), n, fours); }},
      {"forward: 3 eight rows per warp", slices,
       [&] { forward_3<<<slice_grid, 128>>>(x4, w4, part.data(), n, fours); }},
      {"forward: cuBLAS", 1, forward_cublas}};
  const dim3 column_grid((cols + 255) / 256, OUTPUTS);
  const Pass backward[] = {
      {"backward: 1 one thread per weight", 1,
       [&] { backward_1<<<column_grid, 256>>>(x.data(), e.data(), part.data(), n, cols); }},
      {"backward: 2 one row in flight", SLABS, slabs(backward_2<1>)},
      {"backward: 2 four rows in flight", SLABS, slabs(backward_2<4>)},
      {"backward: 2 eight rows in flight", SLABS, slabs(backward_2<8>)},
      {"backward: 3 loads ahead", SLABS, slabs(backward_3)},
      {"backward: cuBLAS", 1, backward_cublas}};

  // A whole pass: the large kernel, then the small kernel that adds its parts.
  const auto run_forward = [&](const Pass &pass) {
    pass.launch();
    CUDA_CHECK(cudaMemsetAsync(loss.data(), 0, loss.bytes()));
    find_errors<<<(errors + 255) / 256, 256>>>(part.data(), pass.parts, t.data(), e.data(),
                                               loss.data(), errors);
    CUDA_CHECK(cudaGetLastError());
  };
  const auto run_backward = [&](const Pass &pass) {
    pass.launch();
    update<<<(weights + 255) / 256, 256>>>(w.data(), part.data(), pass.parts, 2.0 / errors,
                                           weights); // the learning rate is 1
    CUDA_CHECK(cudaGetLastError());
  };
  const auto reset = [&] {
    CUDA_CHECK(cudaMemcpy(w.data(), layer.w.data(), w.bytes(), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(part.data(), 0xFF, part.bytes())); // NaN
  };

  const double copied = timed ? copy_rate(x) : 0;
  if (timed)
    course::figure("copy", copied, "GB/s");
  const auto measure = [&](const char *what, int runs, int passes, auto work) {
    if (!timed)
      return;
    const double seconds = course::gpu_seconds(course::problem_size(runs, 1), work);
    course::figure(what, 1e-9 * passes * x.bytes() / seconds, "GB/s",
                   {.limit = copied, .limit_is = "the copy", .seconds = seconds});
  };

  // Version 1 is compared with the CPU. The other versions must have the same results.
  bool correct = true;
  std::vector<float> right_e, right_w;
  for (const Pass &pass : forward) {
    reset();
    run_forward(pass);
    const std::vector<float> got = e.to_host();
    if (right_e.empty()) {
      right_e = got;
      correct &= layer.verify_errors(got);
    }
    double squares = 0;
    for (double error : got)
      squares += error * error;
    correct &= course::verify_value("loss", loss.to_host()[0], squares / errors, 1e-12);
    correct &= course::verify(pass.name, got.data(), errors, [&](auto i) { return right_e[i]; });
    measure(pass.name, 7, 1, pass.launch);
  }
  for (const Pass &pass : backward) {
    reset();
    run_backward(pass);
    const std::vector<float> got = w.to_host();
    if (right_w.empty()) {
      right_w = got;
      correct &= layer.verify_weights(right_e, got);
    }
    correct &= course::verify(pass.name, got.data(), weights, [&](auto i) { return right_w[i]; });
    measure(pass.name, 7, 1, pass.launch);
  }
  const auto step = [&](const char *what, const Pass &there, const Pass &back) {
    measure(what, 15, 2, [&] {
      run_forward(there);
      run_backward(back);
    });
  };
  step("step: version 1", forward[0], backward[0]);
  step("step: version 3", forward[2], backward[4]);
  step("step: cuBLAS", forward[3], backward[5]);
  return correct;
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 1, "[examples]");
  course::print_device();
  const int n =
      course::count_argument(argc, argv, 1, "examples", course::problem_size(10'000, 500), 50'000);
  cublasHandle_t cublas;
  CUBLAS_CHECK(cublasCreate(&cublas));
  bool correct = train(cublas, 131, 1068, false); // a small layer, verified only
  correct &= train(cublas, n, course::problem_size(100'004, 2004), true); // no slice divides it
  CUBLAS_CHECK(cublasDestroy(cublas));
  return course::verdict(correct);
}
