// Products of tiles that the lanes of a warp hold together: include/mma.h.
#include "mma.h"

#include "observer.h"

namespace course_cpu {

const char *misaligned(const void *tile, std::uint64_t stride_bytes) {
  return to_bits(tile) % 32 != 0
             ? "loads or stores a wmma tile at an address that is not a multiple of 32 bytes"
         : stride_bytes % 16 != 0 ? "loads or stores a wmma tile with a stride (ldm) that is not a "
                                    "multiple of 16 bytes: "
                                    "8 halves or 4 floats"
                                  : nullptr;
}

const char *not_together(const Meeting &meeting, bool same_values) {
  if (meeting.arrived != ~0u)
    return "calls a function of wmma without all 32 lanes of its warp";
  for (int lane = 1; same_values && lane < 32; ++lane)
    if (meeting.values[lane] != meeting.values[0])
      return "loads or stores a wmma tile, and the lanes name different addresses or strides";
  return nullptr;
}

// Only the first lane that leaves works, for all: the others wait for their results.
void multiply_tiles(const Meeting &meeting, const TileShape &shape) {
  if (meeting.leaving < 32)
    return;
  const auto [m, n, k, a_by_columns, b_by_columns, sums_in_half] = shape;
  tools::multiplied(sums_in_half);
  TileParts *parts[32]; // number i has the elements i, i + 32, ...
  for (int lane = 0; lane < 32; ++lane)
    parts[31 - lane] = from_bits<TileParts *>(meeting.values[lane]);
  float b[16 * 32], c[256]; // row by row
  for (int row = 0; row < k; ++row)
    for (int column = 0; column < n; ++column) {
      const int element = b_by_columns ? column * k + row : row * n + column;
      b[row * n + column] = parts[element % 32]->b[element / 32];
    }
  for (int i = 0; i < 256; ++i)
    c[i] = parts[i % 32]->c[i / 32];
  for (int row = 0; row < m; ++row)
    for (int i = 0; i < k; ++i) {
      const int element = a_by_columns ? i * m + row : row * k + i;
      const float a = parts[element % 32]->a[element / 32];
      for (int column = 0; column < n; ++column)
        c[row * n + column] += a * b[i * n + column];
    }
  for (int i = 0; i < 256; ++i)
    parts[i % 32]->c[i / 32] = c[i];
}

} // namespace course_cpu
