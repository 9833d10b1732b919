// Tensor cores: nvcuda::wmma with half, bfloat16 and TF32. A warp holds a tile, and each lane a
// part of its elements. CUDA does not say which part: here lane i has the elements 31 - i,
// 63 - i, ... in memory order, and not those that a program might guess.
#pragma once

#include "course_cpu/small_floats.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

#include <cmath>
#include <cstdint>
#include <type_traits>

COURSE_CPU_BOTH_SPACES
namespace course_cpu {

// The parts of A, B and C that a lane brings to C += A B.
struct TileParts {
  float a[16], b[16], c[8];
};
struct TileShape {
  int m, n, k;
  bool a_by_columns, b_by_columns, sums_in_half;
};
// In runtime/tiles.cpp. What is wrong with a lane's call, or with all calls of a warp; or nullptr.
const char *misaligned(const void *tile, std::uint64_t stride_bytes);
const char *not_together(const Meeting &meeting, bool same_values);
void multiply_tiles(const Meeting &meeting, const TileShape &shape);

inline Meeting &meet_all_lanes(const char *operation, std::uint64_t value, SourceLine line,
                               bool same_values) {
  Meeting &meeting = meet(operation, ~0u, value, line);
  if (const char *wrong = not_together(meeting, same_values))
    fault(cudaErrorLaunchFailure, wrong);
  return meeting;
}
inline void meet_with_tile(const char *operation, const void *tile, std::uint64_t stride_bytes,
                           SourceLine line) {
  if (const char *wrong = misaligned(tile, stride_bytes))
    fault(cudaErrorMisalignedAddress, wrong);
  release(meet_all_lanes(operation, to_bits(tile) ^ stride_bytes << 48, line, true));
}

} // namespace course_cpu
COURSE_CPU_BOTH_SPACES_END

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}

namespace implementation {
// The float without the lower 13 of its 23 bits of mantissa, which a device ignores: TF32.
__device__ inline float cut(float value, std::uint64_t added = 0) {
  return course_cpu::from_bits<float>((course_cpu::to_bits(value) + added) & ~0x1FFFu);
}
// The index of the lane's element i of the sums, which are the same elements in both layouts.
template <int n> __device__ unsigned place(int i, unsigned stride, layout_t layout) {
  const unsigned element = i * 32 + 31 - course_cpu::lane_of_caller(), row = element / n,
                 column = element % n;
  return layout == mem_row_major ? row * stride + column : column * stride + row;
}
} // namespace implementation

// Rounded to the nearest, ties away from 0.
__device__ inline float __float_to_tf32(float value) {
  return std::isfinite(value) ? implementation::cut(value, 0x1000) : value;
}

template <class Use, int m, int n, int k, class T, class Layout = void> class fragment {
  static constexpr bool is_tf32 = std::is_same_v<T, precision::tf32>,
                        is_sum = std::is_same_v<Use, accumulator>,
                        is_small = std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16>;
  static_assert(is_sum ? std::is_same_v<T, float> || std::is_same_v<T, __half>
                       : is_small || is_tf32,
                "the CPU backend has wmma products of half, __nv_bfloat16 and precision::tf32, "
                "with sums in float and half");
  static_assert(
      m * n == 256 && (m == 8 || m == 16 || m == 32) &&
          (k == 16 ? !is_tf32 : k == 8 && m == 16 && !is_small),
      "a wmma tile has m, n, k = 16, 16, 16 or 32, 8, 16 or 8, 32, 16; for tf32 16, 16, 8");
  static_assert(std::is_same_v<Layout, row_major> || std::is_same_v<Layout, col_major> || is_sum,
                "a fragment of A or B is row_major or col_major");

public:
  static constexpr int rows = std::is_same_v<Use, matrix_b> ? k : m,
                       columns = std::is_same_v<Use, matrix_a> ? k : n;
  static constexpr bool by_columns = std::is_same_v<Layout, col_major>;
  enum { num_elements = rows * columns / 32, num_storage_elements = num_elements };
  using element_type = T;
  using storage_element_type = std::conditional_t<is_tf32, float, T>;
  storage_element_type x[num_elements];

  __device__ fragment() { // on a device the elements are undefined
    for (storage_element_type &element : x)
      element = NAN;
  }
};

template <class Use, int m, int n, int k, class T, class Layout, class Value>
__device__ void fill_fragment(fragment<Use, m, n, k, T, Layout> &tile, const Value &value) {
  for (auto &element : tile.x)
    element = value;
}

// Reads what this lane sees now: CUDA does not promise that it sees what other lanes have written
// before they come here.
template <class Use, int m, int n, int k, class T, class Layout>
__device__ void
load_matrix_sync(fragment<Use, m, n, k, T, Layout> &tile,
                 const typename fragment<Use, m, n, k, T, Layout>::storage_element_type *from,
                 unsigned stride, course_cpu::SourceLine line = course_cpu::here()) {
  static_assert(!std::is_same_v<Use, accumulator>, "to load sums, add mem_row_major");
  using Tile = fragment<Use, m, n, k, T, Layout>;
  constexpr unsigned inner = Tile::by_columns ? Tile::rows : Tile::columns;
  unsigned element = 31 - course_cpu::lane_of_caller();
  for (auto &own : tile.x) {
    own = from[element / inner * stride + element % inner];
    element += 32;
  }
  course_cpu::meet_with_tile("load_matrix_sync", from, stride * sizeof *from, line);
}

template <int m, int n, int k, class T>
__device__ void
load_matrix_sync(fragment<accumulator, m, n, k, T> &tile,
                 const typename fragment<accumulator, m, n, k, T>::element_type *from,
                 unsigned stride, layout_t layout,
                 course_cpu::SourceLine line = course_cpu::here()) {
  for (int i = 0; i < tile.num_elements; ++i)
    tile.x[i] = from[implementation::place<n>(i, stride, layout)];
  course_cpu::meet_with_tile("load_matrix_sync", from, stride * sizeof *from, line);
}

template <int m, int n, int k, class T>
__device__ void store_matrix_sync(T *to, const fragment<accumulator, m, n, k, T> &tile,
                                  unsigned stride, layout_t layout,
                                  course_cpu::SourceLine line = course_cpu::here()) {
  course_cpu::meet_with_tile("store_matrix_sync", to, stride * sizeof *to, line);
  for (int i = 0; i < tile.num_elements; ++i)
    to[implementation::place<n>(i, stride, layout)] = tile.x[i];
}

// Products and sums are computed in float; a sum in half is rounded once.
template <int m, int n, int k, class T, class Sum, class Old, class LayoutA, class LayoutB>
__device__ void mma_sync(fragment<accumulator, m, n, k, Sum> &sum,
                         const fragment<matrix_a, m, n, k, T, LayoutA> &a,
                         const fragment<matrix_b, m, n, k, T, LayoutB> &b,
                         const fragment<accumulator, m, n, k, Old> &old,
                         course_cpu::SourceLine line = course_cpu::here()) {
  static_assert(std::is_same_v<T, __half> ||
                    (std::is_same_v<Sum, float> && std::is_same_v<Old, float>),
                "only products of halves can have sums in half");
  course_cpu::TileParts mine;
  const auto take = [](const auto &tile, float *parts) {
    for (int i = 0; i < tile.num_elements; ++i)
      parts[i] =
          std::is_same_v<T, precision::tf32> ? implementation::cut(tile.x[i]) : float(tile.x[i]);
  };
  take(a, mine.a);
  take(b, mine.b);
  for (int i = 0; i < old.num_elements; ++i)
    mine.c[i] = old.x[i];
  course_cpu::Meeting &meeting =
      course_cpu::meet_all_lanes("mma_sync", course_cpu::to_bits(&mine), line, false);
  course_cpu::multiply_tiles(meeting,
                             {m, n, k, a.by_columns, b.by_columns, std::is_same_v<Sum, __half>});
  course_cpu::release(meeting);
  for (int i = 0; i < sum.num_elements; ++i)
    sum.x[i] = mine.c[i];
}

} // namespace wmma
} // namespace nvcuda
