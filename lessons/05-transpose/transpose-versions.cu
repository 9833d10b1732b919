// Lesson 05, measured: from a strided transpose to the copy rate; strides; bytes in flight.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/05-transpose/transpose-versions.cu -o transpose-versions
// Run:   ./transpose-versions [rows cols]
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

// ---- tiles of 32 x 32, 32 x block_rows threads: each moves 32 / block_rows elements ----

constexpr int tile = 32;

template <int block_rows>
__global__ void copied(const float *__restrict__ in, float *__restrict__ out, int rows, int cols) {
  const int first_row = blockIdx.y * tile, col = blockIdx.x * tile + threadIdx.x;
  for (int y = threadIdx.y; y < tile; y += block_rows)
    if (first_row + y < rows && col < cols)
      out[(first_row + y) * cols + col] = in[(first_row + y) * cols + col];
}

// A warp reads from a row and writes to a column.
template <int block_rows>
__global__ void strided_stores(const float *__restrict__ in, float *__restrict__ out, int rows,
                               int cols) {
  const int first_row = blockIdx.y * tile, col = blockIdx.x * tile + threadIdx.x;
  for (int y = threadIdx.y; y < tile; y += block_rows)
    if (first_row + y < rows && col < cols)
      out[col * rows + first_row + y] = in[(first_row + y) * cols + col];
}

// A warp reads from a column and writes to a row.
template <int block_rows>
__global__ void strided_loads(const float *__restrict__ in, float *__restrict__ out, int rows,
                              int cols) {
  const int row = blockIdx.y * tile + threadIdx.x, first_col = blockIdx.x * tile;
  for (int y = threadIdx.y; y < tile; y += block_rows)
    if (row < rows && first_col + y < cols)
      out[(first_col + y) * rows + row] = in[row * cols + first_col + y];
}

// Which tile a block works on. In practice blocks start roughly in the order of their numbers, so
// those that run at one time have neighbouring numbers. With strip = 1 they share a row of tiles:
// what they read lies side by side, what they write is spread over the whole matrix. In strips of
// many rows of tiles, column by column, they share a square of tiles, and read and write long
// pieces of rows.
template <int strip> __device__ int2 tile_of_block() {
  if (strip == 1)
    return make_int2(blockIdx.x, blockIdx.y);
  const int number = blockIdx.y * gridDim.x + blockIdx.x;
  const int first_row = number / (strip * gridDim.x) * strip;
  const int in_strip = number - first_row * gridDim.x;
  const int strip_rows = min(strip, gridDim.y - first_row);
  return make_int2(in_strip / strip_rows, first_row + in_strip % strip_rows);
}

// Through shared memory whose rows have `width` floats: with 32, a column is in one bank.
template <int block_rows, int width, int strip = 1>
__global__ void tiled(const float *in, float *out, int rows, int cols) {
  __shared__ float t[tile][width];
  const int2 block = tile_of_block<strip>();
  const int first_row = block.y * tile, first_col = block.x * tile, x = threadIdx.x;
  for (int y = threadIdx.y; y < tile; y += block_rows)
    if (first_row + y < rows && first_col + x < cols)
      t[y][x] = in[(first_row + y) * cols + first_col + x];
  __syncthreads();
  for (int y = threadIdx.y; y < tile; y += block_rows)
    if (first_col + y < cols && first_row + x < rows)
      out[(first_col + y) * rows + first_row + x] = t[x][y];
}

// ---- tiles of 64 x 64, 16 x 16 threads: each moves four times four floats at once, so rows and
//      columns are multiples of 4 ----

constexpr int wide_tile = 64, wide_rows = 16;

__global__ void tiled4(const float *in, float *out, int rows, int cols) {
  __shared__ float t[wide_tile][wide_tile + 1];
  const int first_row = blockIdx.y * wide_tile, first_col = blockIdx.x * wide_tile;
  const int x = 4 * threadIdx.x;
  for (int y = threadIdx.y; y < wide_tile; y += wide_rows)
    if (first_row + y < rows && first_col + x < cols) {
      const float4 v =
          *reinterpret_cast<const float4 *>(&in[(first_row + y) * cols + first_col + x]);
      t[y][x] = v.x, t[y][x + 1] = v.y, t[y][x + 2] = v.z, t[y][x + 3] = v.w;
    }
  __syncthreads();
  for (int y = threadIdx.y; y < wide_tile; y += wide_rows)
    if (first_col + y < cols && first_row + x < rows)
      *reinterpret_cast<float4 *>(&out[(first_col + y) * rows + first_row + x]) =
          make_float4(t[x][y], t[x + 1][y], t[x + 2][y], t[x + 3][y]);
}

// ---- strides, bytes in flight ----

// Thread i copies element i * stride: a warp asks for 32 floats that are `stride` floats apart.
__global__ void copied_with_stride(const float *in, float *out, int elements, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < elements)
    out[i * stride] = in[i * stride];
}

// Each thread copies `loads` elements, and asks for all of them before it needs the first.
template <int loads> __global__ void copied_several(const float *in, float *out, int count) {
  const int first = blockIdx.x * blockDim.x * loads + threadIdx.x;
  float values[loads] = {};
  for (int k = 0; k < loads; ++k)
    if (first + k * int(blockDim.x) < count)
      values[k] = in[first + k * blockDim.x];
  for (int k = 0; k < loads; ++k)
    if (first + k * int(blockDim.x) < count)
      out[first + k * blockDim.x] = values[k];
}

int blocks_for(int n, int size) { return (n + size - 1) / size; }

template <class Launch> double seconds_of(const Launch &launch) {
  return course::gpu_seconds(course::size(9, 3), [&] {
    launch();
    CUDA_CHECK(cudaGetLastError());
  });
}

float value(std::size_t i) { return i % 16'777'213; } // exact in a float; neighbours differ

// The matrices on the device, and what they must be.
struct Matrices {
  int rows, cols;
  std::size_t count = std::size_t(rows) * cols, bytes = count * sizeof(float);
  std::vector<float> host = std::vector<float>(count);
  float *d_in = nullptr, *d_out = nullptr;
  bool correct = true;

  Matrices(int its_rows, int its_cols) : rows(its_rows), cols(its_cols) {
    for (std::size_t i = 0; i < count; ++i)
      host[i] = value(i);
    CUDA_CHECK(cudaMalloc(&d_in, bytes));
    CUDA_CHECK(cudaMalloc(&d_out, bytes));
    CUDA_CHECK(cudaMemcpy(d_in, host.data(), bytes, cudaMemcpyHostToDevice));
  }
  ~Matrices() {
    cudaFree(d_in);
    cudaFree(d_out);
  }
  void clear() { // NaN: an element that nobody writes shows
    CUDA_CHECK(cudaMemset(d_out, 0xFF, bytes));
  }
  // Every stride-th element.
  void verify(const char *what, bool transposed, std::size_t stride = 1) {
    CUDA_CHECK(cudaMemcpy(host.data(), d_out, bytes, cudaMemcpyDeviceToHost));
    const std::size_t elements = (count + stride - 1) / stride;
    for (std::size_t k = 0; k < elements; ++k)
      host[k] = host[k * stride];
    correct &= course::verify(what, host.data(), elements, [&](std::size_t k) {
      const std::size_t i = k * stride;
      return value(transposed ? i % rows * cols + i / rows : i);
    });
  }
};

// 1. From a copy to a transpose at its rate. Returns the rate of the copy.
double transposes(Matrices &m) {
  double copy_rate = 0;
  const auto rung = [&](const char *what, int its_tile, auto launch) {
    m.clear();
    const dim3 grid(blocks_for(m.cols, its_tile), blocks_for(m.rows, its_tile));
    const double rate = 2.0 * m.bytes / seconds_of([&] { launch(grid); });
    const bool is_copy = copy_rate == 0;
    course::figure(what, 1e-9 * rate, "GB/s", 1e-9 * copy_rate, "the copy");
    m.verify(what, !is_copy);
    if (is_copy)
      copy_rate = rate;
  };
  const float *in = m.d_in;
  float *out = m.d_out;
  const int rows = m.rows, cols = m.cols;
  const dim3 b4(tile, 4), b8(tile, 8), b16(tile, 16), b32(tile, 32), b4x4(16, wide_rows);
  rung("copy", tile, [=](dim3 g) { copied<8><<<g, b8>>>(in, out, rows, cols); });
  rung("strided stores", tile, [=](dim3 g) { strided_stores<8><<<g, b8>>>(in, out, rows, cols); });
  rung("strided loads", tile, [=](dim3 g) { strided_loads<8><<<g, b8>>>(in, out, rows, cols); });
  rung("tiles of 32 x 32: bank conflicts", tile,
       [=](dim3 g) { tiled<8, tile><<<g, b8>>>(in, out, rows, cols); });
  rung("tiles of 32 x 33", tile,
       [=](dim3 g) { tiled<8, tile + 1><<<g, b8>>>(in, out, rows, cols); });
  rung("... 32 x 32 threads, 1 element each", tile,
       [=](dim3 g) { tiled<32, tile + 1><<<g, b32>>>(in, out, rows, cols); });
  rung("... 32 x 16 threads, 2 elements each", tile,
       [=](dim3 g) { tiled<16, tile + 1><<<g, b16>>>(in, out, rows, cols); });
  rung("... 32 x 4 threads, 8 elements each", tile,
       [=](dim3 g) { tiled<4, tile + 1><<<g, b4>>>(in, out, rows, cols); });
  rung("... 32 x 8 threads, blocks in strips", tile,
       [=](dim3 g) { tiled<8, tile + 1, 32><<<g, b8>>>(in, out, rows, cols); });
  if (rows % 4 == 0 && cols % 4 == 0) {
    rung("tiles of 64 x 65, float4", wide_tile,
         [=](dim3 g) { tiled4<<<g, b4x4>>>(in, out, rows, cols); });
  } else
    std::puts("   float4 is left out: rows and columns are no multiples of 4");
  return copy_rate;
}

// 2. A warp's 32 floats with a stride, over the whole matrix. The rate counts the bytes that the
//    kernel uses; the memory moves whole sectors.
void strides(Matrices &m, double copy_rate) {
  std::puts("\na copy of every s-th float: the bytes that it uses");
  for (int stride = 1; stride <= 32; stride *= 2) {
    const int elements = (int(m.count) + stride - 1) / stride;
    m.clear();
    const double seconds = seconds_of([&] {
      copied_with_stride<<<blocks_for(elements, 256), 256>>>(m.d_in, m.d_out, elements, stride);
    });
    const std::string what = "stride " + std::to_string(stride);
    course::figure(what.c_str(), 1e-9 * 2 * elements * sizeof(float) / seconds, "GB/s",
                   1e-9 * copy_rate, "the copy");
    m.verify(what.c_str(), false, stride);
  }
}

// The rate of a copy by blocks of 256 threads that each occupy `shared` bytes and do not use them.
template <int loads> double rate_in_flight(Matrices &m, int shared) {
  const int count = int(m.count);
  CUDA_CHECK(cudaFuncSetAttribute(copied_several<loads>,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  m.clear();
  const double seconds = seconds_of([&] {
    copied_several<loads><<<blocks_for(count, 256 * loads), 256, shared>>>(m.d_in, m.d_out, count);
  });
  m.verify("copy in flight", false);
  return 1e-9 * 2 * m.bytes / seconds;
}

// 3. Fewer threads on a multiprocessor, and more loads in flight for each of them.
void bytes_in_flight(Matrices &m) {
  std::puts("\na copy by fewer threads: GB/s with 1, 4 and 16 loads in flight per thread");
  const int all_shared = course::attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  const int most_shared = course::attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  for (int blocks : {8, 4, 2, 1}) {
    const int shared = blocks == 8 ? 0 : std::min(most_shared, all_shared / blocks - 1024);
    int fit = 0;
    CUDA_CHECK(cudaFuncSetAttribute(copied_several<1>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    shared));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, copied_several<1>, 256, shared));
    std::printf("   %4d threads per multiprocessor", 256 * fit);
    for (double rate : {rate_in_flight<1>(m, shared), rate_in_flight<4>(m, shared),
                        rate_in_flight<16>(m, shared)})
      std::printf(" %10.4g", rate);
    std::puts("");
  }
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 2, "[rows cols]");
  course::print_device();
  const int standard = course::size(16384, 1500), most = 40000;
  const int rows = course::count_argument(argc, argv, 1, "rows", standard, most);
  const int cols = course::count_argument(argc, argv, 2, "cols", rows, most);
  std::printf("%d rows, %d columns\n", rows, cols);
  Matrices m(rows, cols);
  const double copy_rate = transposes(m);
  strides(m, copy_rate);
  bytes_in_flight(m);
  std::puts("");
  return course::verdict(m.correct);
}
