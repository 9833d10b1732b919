// The mesh of lesson 16's exercises, as their judges compute it: on the host, in one piece.
#pragma once

#include "common/grader/judge/judge.hpp"

#include <string>
#include <utility>
#include <vector>

namespace course {

using Mesh = std::vector<float>; // row after row

// Three devices first: there a deadlock shows its circle. Then the neighbours are the same rank, or
// the rank itself; at last more than eight.
inline std::vector<int> device_counts(Judge &judge) { return {3, 2, 1, judge.number(9, 10)}; }

inline std::string devices(int count) {
  return std::to_string(count) + (count == 1 ? " device" : " devices");
}

template <class F> Question<F> ask(Judge &judge, int count, const std::string &also = "") {
  return judge.ask<F>(devices(count) + also)
      .environment("COURSE_CPU_DEVICES", std::to_string(count));
}

// The first row of a rank; that of rank `ranks` is the number of rows.
inline int first_row(int rank, int ranks, int ny) { return int((long long)ny * rank / ranks); }

// One Jacobi step of rows `first` to `end` - 1, whose neighbours beyond are the rows `above` and
// `below` of the whole mesh.
inline void step(const Mesh &old, Mesh &mesh, int nx, int first, int end, int above, int below) {
  const auto at = [&](int row, int column) {
    return old[std::size_t(row < first ? above : row < end ? row : below) * nx + column];
  };
  for (int y = first; y < end; ++y)
    for (int x = 1; x < nx - 1; ++x)
      mesh[std::size_t(y) * nx + x] =
          0.25f * (at(y, x - 1) + at(y, x + 1) + at(y - 1, x) + at(y + 1, x));
}

inline Mesh after_steps(Mesh mesh, int nx, int ny, int steps) {
  for (int i = 0; i < steps; ++i)
    step(Mesh(mesh), mesh, nx, 0, ny, ny - 1, 0);
  return mesh;
}

// A GPU may round the mean of four neighbours otherwise, and so do other orders of the same sum.
constexpr double mean_tolerance = 2e-6; // for numbers from -1 to 1

// Bytes of memory for each device, of which a mesh and its next step need a third more.
inline std::string memory_for_a_part(int nx, int ny) {
  return std::to_string(sizeof(float) * nx * ny * 3 / 2);
}

} // namespace course
