// Tensor cores by nvcuda::wmma: shapes, layouts, types, and the elements of a fragment.
#include "cuda_test.hpp"

#include <mma.h>

namespace nvcuda::wmma::precision {
struct tf32; // mma.h declares it for newer devices only
}
using namespace nvcuda::wmma;

namespace {

template <class Layout> constexpr bool by_rows = std::is_same_v<Layout, row_major>;

// Each warp computes A B + C. The result is stored by rows, and then by columns.
template <int m, int n, int k, class T, class LayoutA, class LayoutB, class Number, class Old,
          class Sum>
__global__ void multiply(const Number *a, const Number *b, const Old *c, Sum *out) {
#if __CUDA_ARCH__ >= 800 // bfloat16 and TF32
  fragment<matrix_a, m, n, k, T, LayoutA> a_tile;
  fragment<matrix_b, m, n, k, T, LayoutB> b_tile;
  fragment<accumulator, m, n, k, Old> old;
  fragment<accumulator, m, n, k, Sum> sum;
  load_matrix_sync(a_tile, a, (by_rows<LayoutA> ? k : m) + 8);
  load_matrix_sync(b_tile, b, (by_rows<LayoutB> ? n : k) + 8);
  load_matrix_sync(old, c, n + 8, mem_row_major);
  mma_sync(sum, a_tile, b_tile, old);
  out += threadIdx.x / 32 * 512;
  store_matrix_sync(out, sum, n, mem_row_major);
  store_matrix_sync(out + 256, sum, m, mem_col_major);
#endif
}

struct Matrix {
  int rows, columns;
  std::vector<float> values;

  Matrix(int rows, int columns, unsigned seed) : rows(rows), columns(columns) {
    for (int i = 0; i < rows * columns; ++i) // whole numbers from -8 to 7
      values.push_back(static_cast<float>(int(2654435761u * (seed + i) >> 28) - 8));
  }
  // With 8 more numbers between one row, or column, and the next.
  template <class T> std::vector<T> stored(bool by_rows) const {
    const int stride = 8 + (by_rows ? columns : rows);
    std::vector<T> memory(stride * (by_rows ? rows : columns), T(99.0f));
    for (int i = 0; i < rows * columns; ++i)
      memory[by_rows ? i / columns * stride + i % columns : i % columns * stride + i / columns] =
          T(values[i]);
    return memory;
  }
};

constexpr int warps = 3;

template <class T, class Number, class LayoutA, class LayoutB, class Old, class Sum, int m, int n,
          int k>
void check_product() {
  const Matrix a(m, k, 1), b(k, n, 1000), c(m, n, 2000);
  const DeviceArray<Number> d_a(a.stored<Number>(by_rows<LayoutA>)),
      d_b(b.stored<Number>(by_rows<LayoutB>));
  const DeviceArray<Old> d_c(c.stored<Old>(true));
  const DeviceArray<Sum> out(warps * 512);
  multiply<m, n, k, T, LayoutA, LayoutB>
      <<<1, warps * 32>>>(d_a.data(), d_b.data(), d_c.data(), out.data());
  const std::vector<Sum> sums = out.host();
  int wrong = 0;
  for (int i = 0; i < warps * 256; ++i) {
    const int row = i % 256 / n, column = i % n;
    float sum = c.values[i % 256];
    for (int j = 0; j < k; ++j)
      sum += a.values[row * k + j] * b.values[j * n + column];
    const Sum *warp = &sums[i / 256 * 512];
    wrong += float(warp[i % 256]) != sum || float(warp[256 + column * m + row]) != sum;
  }
  CAPTURE(m, n, k, by_rows<LayoutA>, by_rows<LayoutB>);
  CHECK(wrong == 0);
}

template <class T, class Number, class Old, class Sum, int m, int n, int k> void check_layouts() {
  check_product<T, Number, row_major, row_major, Old, Sum, m, n, k>();
  check_product<T, Number, row_major, col_major, Old, Sum, m, n, k>();
  check_product<T, Number, col_major, row_major, Old, Sum, m, n, k>();
  check_product<T, Number, col_major, col_major, Old, Sum, m, n, k>();
}
template <class T, class Old, class Sum> void check_shapes() {
  check_layouts<T, T, Old, Sum, 16, 16, 16>();
  check_layouts<T, T, Old, Sum, 32, 8, 16>();
  check_layouts<T, T, Old, Sum, 8, 32, 16>();
}

void skip_older_devices() {
  int major = 0;
  REQUIRE(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0) == cudaSuccess);
  if (major < 8)
    SKIP("needs compute capability 8.0");
}

// Lane i has the elements 8 i to 8 i + 7 of a fragment; where they are is not defined.
__global__ void place_elements(float *out) {
  fragment<accumulator, 16, 16, 16, float> sum;
  for (int i = 0; i < sum.num_elements; ++i)
    sum.x[i] = threadIdx.x * 8 + i;
  store_matrix_sync(out, sum, 16, mem_row_major);
}

__global__ void add_small(const __half *ones, float *out, __half *half_out) {
  fragment<matrix_a, 16, 16, 16, __half, row_major> a;
  fragment<matrix_b, 16, 16, 16, __half, row_major> b;
  fragment<accumulator, 16, 16, 16, float> sum;
  fragment<accumulator, 16, 16, 16, __half> half_sum;
  load_matrix_sync(a, ones, 16);
  fill_fragment(b, __float2half(0.0625f)); // 16 products of 1/16: 1
  fill_fragment(sum, 2048.0f);
  fill_fragment(half_sum, __float2half(2048.0f));
  mma_sync(sum, a, b, sum);
  mma_sync(half_sum, a, b, half_sum);
  store_matrix_sync(out, sum, 16, mem_row_major);
  store_matrix_sync(half_out, half_sum, 16, mem_row_major);
}

__global__ void round_to_tf32(const float *from, float *to) {
#if __CUDA_ARCH__ >= 800
  to[threadIdx.x] = __float_to_tf32(from[threadIdx.x]);
#endif
}

} // namespace

TEST_CASE("wmma: products of halves") {
  skip_older_devices();
  check_shapes<__half, float, float>();
  check_shapes<__half, __half, __half>();
  check_layouts<__half, __half, __half, float, 16, 16, 16>();
  check_layouts<__half, __half, float, __half, 16, 16, 16>();
}

TEST_CASE("wmma: products of bfloat16 and TF32") {
  skip_older_devices();
  check_shapes<__nv_bfloat16, float, float>();
  check_layouts<precision::tf32, float, float, float, 16, 16, 8>();
}

TEST_CASE("wmma: each element of a tile is in one lane") {
  const DeviceArray<float> out(256);
  place_elements<<<1, 32>>>(out.data());
  std::vector<float> elements = out.host();
  std::sort(elements.begin(), elements.end());
  CHECK(elements == counting<float>(256));
}

TEST_CASE("wmma: a sum in half loses what a sum in float keeps") {
  const DeviceArray<__half> ones(std::vector<__half>(256, __half(1.0f))), half_out(256);
  const DeviceArray<float> out(256);
  add_small<<<1, 32>>>(ones.data(), out.data(), half_out.data());
  CHECK(out.host() == std::vector<float>(256, 2049));
  CHECK(float(half_out.host()[255]) == 2048);
}

TEST_CASE("wmma: rounding to TF32") {
  skip_older_devices();
  const std::vector<float> values{1, 1 + 0x1p-11f, 1 - 0x1p-13f, -1 - 0x1.8p-11f, 1 + 0x1.fp-12f};
  const DeviceArray<float> from(values), to(values.size());
  round_to_tf32<<<1, static_cast<unsigned>(values.size())>>>(from.data(), to.data());
  CHECK(to.host() == std::vector<float>{1, 1 + 0x1p-10f, 1, -1 - 0x1p-10f, 1});
}
