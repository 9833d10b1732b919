// Lesson 12, versions: the two passes over X of a training step, from one thread per sum to nearly
// the speed of a copy.
//
// Build: nvcc -O3 -std=c++17 -arch=sm_75 -I. lessons/12-linear-layer/linear-layer-versions.cu -o layer-versions -lcublas
// Run:   ./layer-versions [examples]
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/cublas.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

// All matrices are row-major. X and W have `cols` columns: the features; a column for the bias,
// which contains ones in X; and zeros, up to a multiple of 4. So each row is an array of
// cols / 4 = `fours` float4. A pass writes partial sums, `part`; a small kernel adds them.
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

// Verifies every version, and measures it if `timed`.
bool train(cublasHandle_t cublas, int n, int features, bool timed) {
  std::printf("%d examples, %d features, %d outputs\n", n, features, OUTPUTS);
  const int fours = (features + 1 + 3) / 4, cols = 4 * fours;
  const int errors = n * OUTPUTS, weights = cols * OUTPUTS;
  std::vector<float> x(size_t(n) * cols), t(errors), w(weights), e(errors), new_w(weights);
  std::mt19937 random;
  const auto number = [&] { return float(2 * int(random() >> 30) - 3); }; // -3, -1, 1 or 3
  for (int row = 0; row < n; ++row) { // small multiples of a power of 2: no sum is rounded
    std::generate_n(&x[size_t(row) * cols], features, [&] { return number() / 4; });
    x[size_t(row) * cols + features] = 1;
  }
  for (int o = 0; o < OUTPUTS; ++o)
    std::generate_n(&w[o * cols], features + 1, [&] { return number() / 512; });
  std::generate(t.begin(), t.end(), [&] { return number() / 4; });

  const int slices = (fours + SLICE - 1) / SLICE, slab = (n + SLABS - 1) / SLABS;
  const size_t part_bytes =
      std::max(size_t(slices) * errors, size_t(SLABS) * weights) * sizeof(float);
  float *d_x, *d_t, *d_w, *d_e, *d_part;
  double *d_loss, loss;
  CUDA_CHECK(cudaMalloc(&d_x, x.size() * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_t, errors * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_w, weights * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_e, errors * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_part, part_bytes));
  CUDA_CHECK(cudaMalloc(&d_loss, sizeof(double)));
  CUDA_CHECK(cudaMemcpy(d_x, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_t, t.data(), errors * sizeof(float), cudaMemcpyHostToDevice));
  const float4 *x4 = reinterpret_cast<float4 *>(d_x), *w4 = reinterpret_cast<float4 *>(d_w);
  float4 *part4 = reinterpret_cast<float4 *>(d_part);
  const auto reset_weights = [&] {
    CUDA_CHECK(cudaMemcpy(d_w, w.data(), weights * sizeof(float), cudaMemcpyHostToDevice));
  };

  // The passes.
  const auto f1 = [&] {
    forward_1<<<(errors + 255) / 256, 256>>>(d_x, d_w, d_part, n, cols);
    CUDA_CHECK(cudaGetLastError());
  };
  const auto f2 = [&] {
    forward_2<<<dim3(slices, GROUPS), 256>>>(x4, w4, d_part, n, fours);
    CUDA_CHECK(cudaGetLastError());
  };
  const auto f3 = [&] {
    forward_3<<<dim3(slices, GROUPS), 128>>>(x4, w4, d_part, n, fours);
    CUDA_CHECK(cudaGetLastError());
  };
  const auto b1 = [&] {
    backward_1<<<dim3((cols + 255) / 256, OUTPUTS), 256>>>(d_x, d_e, d_part, n, cols);
    CUDA_CHECK(cudaGetLastError());
  };
  const dim3 columns_and_slabs((fours + 127) / 128, SLABS);
  const auto b2 = [&](auto kernel) {
    return [=] {
      kernel<<<columns_and_slabs, 128>>>(x4, d_e, part4, n, fours, slab);
      CUDA_CHECK(cudaGetLastError());
    };
  };
  // cuBLAS expects matrices column by column: read in this way, ours are transposed.
  const float one = 1, zero = 0;
  const auto f_cublas = [&] { // Y^T = W X^T
    CUBLAS_CHECK(cublasSgemm(cublas, CUBLAS_OP_T, CUBLAS_OP_N, OUTPUTS, n, cols, &one, d_w, cols,
                             d_x, cols, &zero, d_part, OUTPUTS));
  };
  const auto b_cublas = [&] { // X^T E
    CUBLAS_CHECK(cublasSgemm(cublas, CUBLAS_OP_N, CUBLAS_OP_T, cols, OUTPUTS, n, &one, d_x, cols,
                             d_e, OUTPUTS, &zero, d_part, cols));
  };

  // The small kernels.
  const auto errors_from = [&](int parts) {
    CUDA_CHECK(cudaMemsetAsync(d_loss, 0, sizeof(double)));
    find_errors<<<(errors + 255) / 256, 256>>>(d_part, parts, d_t, d_e, d_loss, errors);
    CUDA_CHECK(cudaGetLastError());
  };
  const double factor = 2.0 / errors; // the learning rate is 1
  const auto update_from = [&](int parts) {
    update<<<(weights + 255) / 256, 256>>>(d_w, d_part, parts, factor, weights);
    CUDA_CHECK(cudaGetLastError());
  };

  double copied = 0; // GB/s
  const auto measure = [&](const char *what, int runs, int passes, auto work) {
    if (!timed)
      return;
    const double seconds = course::gpu_seconds(course::problem_size(runs, 1), work);
    course::figure(what, 4e-9 * x.size() * passes / seconds, "GB/s",
                   {.limit = copied, .limit_is = "the copy", .seconds = seconds});
  };
  // The results of version 1 are compared with sums on the CPU: all, or some of a large layer. The
  // other versions must have the same results.
  bool correct = true;
  std::vector<float> right_e, right_w;
  const int stride = 1 + x.size() / 10'000'000;
  const auto forward = [&](const char *what, int parts, auto pass) {
    reset_weights();
    CUDA_CHECK(cudaMemset(d_part, 0xFF, part_bytes)); // NaN
    pass();
    errors_from(parts);
    CUDA_CHECK(cudaMemcpy(e.data(), d_e, errors * sizeof(float), cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(&loss, d_loss, sizeof loss, cudaMemcpyDeviceToHost));
    for (int i = 0; i < errors && right_e.empty(); i += stride) {
      const float *row = &x[size_t(i / OUTPUTS) * cols];
      const double y = std::inner_product(row, row + cols, &w[i % OUTPUTS * cols], 0.0);
      correct = course::verify_value(what, e[i], y - t[i]) && correct;
    }
    if (right_e.empty())
      right_e = e;
    double squares = 0;
    for (double error : e)
      squares += error * error;
    correct = course::verify_value("loss", loss, squares / errors, 1e-12) && correct;
    correct =
        course::verify(what, e.data(), errors, [&](size_t i) { return right_e[i]; }) && correct;
    measure(what, 7, 1, pass);
  };
  const auto backward = [&](const char *what, int parts, auto pass) {
    reset_weights();
    CUDA_CHECK(cudaMemset(d_part, 0xFF, part_bytes)); // NaN
    pass();
    update_from(parts);
    CUDA_CHECK(cudaMemcpy(new_w.data(), d_w, weights * sizeof(float), cudaMemcpyDeviceToHost));
    for (int i = 0; i < weights && right_w.empty(); i += stride) {
      double sum = 0;
      for (int row = 0; row < n; ++row)
        sum += double(e[row * OUTPUTS + i / cols]) * x[size_t(row) * cols + i % cols];
      const double change = factor * sum, size = std::abs(w[i]) + std::abs(change);
      if (!(std::abs(new_w[i] - (w[i] - change)) <= 1e-6 * size)) // the difference may be near 0
        correct = course::verify_value(what, new_w[i], w[i] - change);
    }
    if (right_w.empty())
      right_w = new_w;
    correct = course::verify(what, new_w.data(), weights, [&](size_t i) { return right_w[i]; }) &&
              correct;
    measure(what, 7, 1, pass);
  };
  const auto step = [&](const char *what, auto f, int f_parts, auto b, int b_parts) {
    measure(what, 15, 2, [&] {
      f();
      errors_from(f_parts);
      b();
      update_from(b_parts);
    });
  };

  if (timed) { // a copy of X, or of its first GiB
    const size_t size = std::min(x.size() * sizeof(float), size_t(1) << 30);
    float *copy;
    CUDA_CHECK(cudaMalloc(&copy, size));
    copied = 2e-9 * size / course::gpu_seconds(course::problem_size(9, 3), [&] { // reads and writes
               CUDA_CHECK(cudaMemcpyAsync(copy, d_x, size, cudaMemcpyDeviceToDevice));
             });
    CUDA_CHECK(cudaFree(copy));
    course::figure("copy", copied, "GB/s");
  }
  forward("forward: 1 one thread per output", 1, f1);
  forward("forward: 2 one row per warp", slices, f2);
  forward("forward: 3 eight rows per warp", slices, f3);
  forward("forward: cuBLAS", 1, f_cublas);
  backward("backward: 1 one thread per weight", 1, b1);
  backward("backward: 2 one row in flight", SLABS, b2(backward_2<1>));
  backward("backward: 2 four rows in flight", SLABS, b2(backward_2<4>));
  backward("backward: 2 eight rows in flight", SLABS, b2(backward_2<8>));
  backward("backward: 3 loads ahead", SLABS, b2(backward_3));
  backward("backward: cuBLAS", 1, b_cublas);
  step("step: version 1", f1, 1, b1, 1);
  step("step: version 3", f3, slices, b2(backward_3), SLABS);
  step("step: cuBLAS", f_cublas, 1, b_cublas, 1);
  for (float *memory : {d_x, d_t, d_w, d_e, d_part})
    CUDA_CHECK(cudaFree(memory));
  CUDA_CHECK(cudaFree(d_loss));
  return correct;
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 1, "[examples]");
  course::print_device();
  const int n =
      course::count_argument(argc, argv, 1, "examples", course::problem_size(10'000, 500), 50'000);
  cublasHandle_t cublas;
  CUBLAS_CHECK(cublasCreate(&cublas));
  bool correct = train(cublas, 131, 1067, false); // a small layer, verified only
  correct = train(cublas, n, course::problem_size(100'000, 2000), true) && correct;
  CUBLAS_CHECK(cublasDestroy(cublas));
  return course::verdict(correct);
}
