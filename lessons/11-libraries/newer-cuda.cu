// Lesson 11, deep dive: newer forms of CUDA C++, each after the plain form that the lessons use.
// Needs CUDA 12.2 or later, because of mdspan and span.
//
// Build: nvcc -O3 -std=c++17 -arch=sm_75 -I. lessons/11-libraries/newer-cuda.cu -o newer-cuda
// Run:   ./newer-cuda [n]
#include "common/arguments.hpp"
#include "common/buffer.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <algorithm>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cuda/barrier>
#include <cuda/std/mdspan>
#include <cuda/std/span>
#include <memory>
#include <string>
#include <vector>

namespace cg = cooperative_groups;

constexpr int block = 256;

// ---- 1. An array that knows its sizes: the Jacobi step of lesson 09 ----

__global__ void step(const float *now, float *next, int ny, int nx) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1) {
    const int i = y * nx + x;
    next[i] = 0.25f * (now[i - 1] + now[i + 1] + now[i - nx] + now[i + nx]);
  }
}

// [mdspan]
template <class T> using Matrix = cuda::std::mdspan<T, cuda::std::dextents<int, 2>>;

__global__ void step(Matrix<const float> now, Matrix<float> next) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < now.extent(1) - 1 && y > 0 && y < now.extent(0) - 1)
    next(y, x) = 0.25f * (now(y, x - 1) + now(y, x + 1) + now(y - 1, x) + now(y + 1, x));
}
// [end]

// ---- 2. Groups of threads: divide all elements by their sum ----

__global__ void add_up(const float *x, int n, double *sum) {
  double mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += x[i];
  for (int half = 16; half > 0; half /= 2)
    mine += __shfl_down_sync(0xffffffff, mine, half);
  if (threadIdx.x % 32 == 0)
    atomicAdd(sum, mine);
}

__global__ void divide(const float *x, float *shares, int n, const double *sum) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    shares[i] = x[i] / *sum;
}

// [groups]
__global__ void add_up_and_divide(cuda::std::span<const float> x, float *shares, double *sum) {
  const auto grid = cg::this_grid();
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  double mine = 0;
  for (size_t i = grid.thread_rank(); i < x.size(); i += grid.size())
    mine += x[i];
  mine = cg::reduce(warp, mine, cg::plus<double>());
  if (warp.thread_rank() == 0)
    atomicAdd(sum, mine);
  grid.sync(); // all blocks have added their sums
  for (size_t i = grid.thread_rank(); i < x.size(); i += grid.size())
    shares[i] = x[i] / *sum;
}
// [end]

// ---- 3. Memory in stream order, with an owner ----

// [owner]
struct FreeAsync {
  cudaStream_t stream;
  void operator()(void *memory) const { cudaFreeAsync(memory, stream); }
};

template <class T> auto allocate(size_t size, cudaStream_t stream) {
  T *memory;
  CUDA_CHECK(cudaMallocAsync(&memory, size * sizeof(T), stream));
  return std::unique_ptr<T[], FreeAsync>(memory, FreeAsync{stream});
}
// [end]

void two_kernels(const float *x, float *shares, int n, double *sum) {
  const int grid = 8 * course::multiprocessors();
  CUDA_CHECK(cudaMemsetAsync(sum, 0, sizeof(double)));
  add_up<<<grid, block>>>(x, n, sum);
  divide<<<grid, block>>>(x, shares, n, sum);
  CUDA_CHECK(cudaGetLastError());
}

// [cooperative]
void one_kernel(cuda::std::span<const float> x, float *shares, double *sum) {
  int blocks; // the number that one multiprocessor can run at the same time
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_up_and_divide, block, 0));
  const int grid = blocks * course::multiprocessors();
  CUDA_CHECK(cudaMemsetAsync(sum, 0, sizeof(double)));
  void *arguments[] = {&x, &shares, &sum};
  CUDA_CHECK(cudaLaunchCooperativeKernel(add_up_and_divide, grid, block, arguments));
}
// [end]

// ---- 4. A copy into shared memory while the block works: reverse each tile ----

constexpr int tile = 1024;

__global__ void reverse(const float *x, float *y, int n) {
  __shared__ float copy[tile];
  for (int begin = blockIdx.x * tile; begin < n; begin += gridDim.x * tile) {
    const int size = min(tile, n - begin);
    for (int i = threadIdx.x; i < size; i += blockDim.x)
      copy[i] = x[begin + i];
    __syncthreads();
    for (int i = threadIdx.x; i < size; i += blockDim.x)
      y[begin + i] = copy[size - 1 - i];
    __syncthreads(); // before the next tile overwrites this one
  }
}

// [barrier]
using Barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init // init() is called below

__global__ void reverse_next(const float *x, float *y, int n) {
  __shared__ alignas(16) float copy[2][tile];
  __shared__ Barrier arrived[2];
  const auto group = cg::this_thread_block();
  if (group.thread_rank() == 0)
    for (Barrier &barrier : arrived)
      init(&barrier, group.size());
  group.sync();

  const auto start_copy = [&](int begin, int buffer) {
    if (begin + tile <= n) // 16 bytes at a time
      cuda::memcpy_async(group, copy[buffer], x + begin, cuda::aligned_size_t<16>(sizeof copy[0]),
                         arrived[buffer]);
    else // the last tile, which may be smaller: plain copies
      for (int i = group.thread_rank(); i < n - begin; i += group.size())
        copy[buffer][i] = x[begin + i];
  };
  int buffer = 0;
  start_copy(blockIdx.x * tile, buffer);
  for (int begin = blockIdx.x * tile; begin < n; begin += gridDim.x * tile, buffer ^= 1) {
    start_copy(begin + gridDim.x * tile, buffer ^ 1); // the next tile, while this one is used
    arrived[buffer].arrive_and_wait();
    const int size = min(tile, n - begin);
    for (int i = threadIdx.x; i < size; i += blockDim.x)
      y[begin + i] = copy[buffer][size - 1 - i];
    group.sync(); // before the next copy overwrites this tile
  }
}
// [end]

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 1, "[n]");
  course::print_device();
  const int standard = course::problem_size(10'007, 107);
  const int side = course::count_argument(argc, argv, 1, "n", standard, 20'000);
  const int nx = side, ny = side + 2, n = nx * ny;
  std::printf("%d x %d floats\n", ny, nx);

  std::vector<float> x(n);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] = i % 1021; // whole numbers: every sum of them is exact in double
  const course::Buffer<float> d_x(x);
  course::Buffer<float> d_y(n);

  bool correct = true;
  const auto measure = [&](const char *name, auto work, auto expected) {
    CUDA_CHECK(cudaMemcpy(d_y.data(), d_x.data(), d_x.bytes(), cudaMemcpyDeviceToDevice));
    const double seconds = course::gpu_seconds(course::problem_size(9, 1), work);
    correct &= course::verify(name, d_y.to_host().data(), n, expected, 1e-6);
    course::figure(name, 2e-9 * d_x.bytes() / seconds, "GB/s", {.seconds = seconds});
  };

  const dim3 square(32, 8), squares((nx + 31) / 32, (ny + 7) / 8);
  const auto stepped = [&](size_t i) {
    const int column = i % nx, row = i / nx;
    const bool edge = column == 0 || column == nx - 1 || row == 0 || row == ny - 1;
    return edge ? x[i] : 0.25f * (x[i - 1] + x[i + 1] + x[i - nx] + x[i + nx]);
  };
  measure(
      "step, pointers",
      [&] {
        step<<<squares, square>>>(d_x.data(), d_y.data(), ny, nx);
        CUDA_CHECK(cudaGetLastError());
      },
      stepped);
  measure(
      "step, mdspan",
      [&] {
        step<<<squares, square>>>(Matrix<const float>(d_x.data(), ny, nx),
                                  Matrix<float>(d_y.data(), ny, nx));
        CUDA_CHECK(cudaGetLastError());
      },
      stepped);

  const auto share = [&](size_t i) { return x[i] / sum; };
  measure(
      "shares, two kernels, cudaMalloc",
      [&] {
        const course::Buffer<double> d_sum(1);
        two_kernels(d_x.data(), d_y.data(), n, d_sum.data());
      },
      share);
  measure(
      "shares, two kernels, cudaMallocAsync",
      [&] {
        const auto d_sum = allocate<double>(1, nullptr);
        two_kernels(d_x.data(), d_y.data(), n, d_sum.get());
      },
      share);
  measure(
      "shares, one kernel, cudaMallocAsync",
      [&] {
        const auto d_sum = allocate<double>(1, nullptr);
        one_kernel({d_x.data(), d_x.size()}, d_y.data(), d_sum.get());
      },
      share);

  const auto reversed = [&](size_t i) {
    const size_t begin = i / tile * tile, end = std::min(begin + tile, size_t(n));
    return x[begin + end - 1 - i];
  };
  for (const int blocks : {8, 2}) {
    const std::string where = ", " + std::to_string(blocks) + " blocks per SM";
    const int grid = blocks * course::multiprocessors();
    measure(("reverse" + where).c_str(),
            [&] {
              reverse<<<grid, block>>>(d_x.data(), d_y.data(), n);
              CUDA_CHECK(cudaGetLastError());
            },
            reversed);
    measure(("reverse_next" + where).c_str(),
            [&] {
              reverse_next<<<grid, block>>>(d_x.data(), d_y.data(), n);
              CUDA_CHECK(cudaGetLastError());
            },
            reversed);
  }
  return course::verdict(correct);
}
