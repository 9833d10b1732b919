// Jacobi's method on many GPUs: the mesh, the rows of one rank, and the check of the result.
#pragma once

#include "common/arguments.hpp"
#include "common/buffer.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/mpi.hpp"
#include "common/verify.hpp"

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace course {

constexpr int residual_every = 100; // steps from one residual to the next
constexpr double tolerance = 1e-5;  // the iteration ends when the residual is at most this

// ny rows of nx cells. The first and the last column are fixed. The rows are periodic: row 0
// follows the last row.
struct Mesh {
  int nx, ny, max_steps;
};

// The mesh from the arguments [columns [rows [steps]]]. Rank 0 prints its device.
inline Mesh mesh_from(const Ranks &ranks, int argc, char **argv) {
  Mesh mesh{};
  ranks.first_rank_first([&] {
    expect_arguments(argc, argv, 3, "[columns [rows [steps]]]");
    if (ranks.rank == 0)
      print_device();
    const Mesh standard = problem_size(Mesh{16384, 16382, 1000}, Mesh{512, 510, 300});
    mesh.nx = int(count_argument(argc, argv, 1, "columns", standard.nx, 40000));
    mesh.ny = int(count_argument(argc, argv, 2, "rows", standard.ny, 40000, ranks.count));
    mesh.max_steps = int(count_argument(argc, argv, 3, "steps", standard.max_steps));
  });
  return mesh;
}

// The rows of one rank in device memory: `halo` rows of the previous rank, `count` own rows, and
// `halo` rows of the next rank. The first own row is row `first` of the mesh.
struct Part {
  int nx, ny, halo;
  int pitch; // floats from one row to the next
  int first, count;
  int previous_rank, next_rank; // in a ring: rank 0 follows the last rank
  Buffer<float> d_now, d_next;

  Part(int rank, int ranks, const Mesh &mesh, int pitch, int halo = 1)
      : nx(mesh.nx), ny(mesh.ny), halo(halo), pitch(pitch),
        first(int((long long)ny * rank / ranks)),
        count(int((long long)ny * (rank + 1) / ranks) - first),
        previous_rank((rank + ranks - 1) % ranks), next_rank((rank + 1) % ranks),
        d_now(std::size_t(count + 2 * halo) * pitch), d_next(d_now.size()) {
    start();
  }

  float *row(const Buffer<float> &d_field, int y) const {
    return d_field.data() + std::size_t(y) * pitch;
  }

  // The initial temperatures, in both fields: a sine wave along the fixed columns, 0 elsewhere.
  void start() {
    const double pi = std::acos(-1.0);
    std::vector<float> cells(d_now.size(), 0.0f);
    for (int y = 0; y < count + 2 * halo; ++y) {
      float *const row = &cells[std::size_t(y) * pitch];
      row[0] = row[nx - 1] =
          float(std::sin(2 * pi * ((first + y - halo + ny) % ny + 1) / (ny + 1)));
    }

    for (float *d_field : {d_now.data(), d_next.data()})
      CUDA_CHECK(cudaMemcpy(d_field, cells.data(), d_now.bytes(), cudaMemcpyHostToDevice));
  }
};

// One step of the whole mesh.
static __global__ void reference_step(const float *now, float *next, int nx, int ny, int pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const std::size_t row = std::size_t(y) * pitch, above = std::size_t((y + ny - 1) % ny) * pitch;
  const std::size_t below = std::size_t((y + 1) % ny) * pitch;
  if (x > 0 && x < nx - 1 && y < ny)
    next[row + x] = 0.25f * (now[row + x - 1] + now[row + x + 1] + now[above + x] + now[below + x]);
}

// Every rank computes the whole mesh again, without messages. True on all ranks if the own cells of
// all ranks have the same values, and the residual of the last step, if there is one, is correct.
// Its terms are added in a different order, so the last digits may differ.
inline bool verify_part(const Ranks &ranks, const Mesh &mesh, const Part &part, int steps,
                        std::optional<double> residual = {}) {
  Part whole(0, 1, mesh, part.pitch, 0);
  const dim3 block(32, 8), grid((mesh.nx + 31) / 32, (mesh.ny + 7) / 8);
  for (int step = 0; step < steps; ++step) {
    reference_step<<<grid, block>>>(whole.d_now.data(), whole.d_next.data(), mesh.nx, mesh.ny,
                                    whole.pitch);
    CUDA_CHECK(cudaGetLastError());
    std::swap(whole.d_now, whole.d_next);
  }

  const std::vector<float> cells = whole.d_now.to_host(), got = part.d_now.to_host();
  const float *const wanted = &cells[std::size_t(part.first) * part.pitch];
  const std::string rank = "rank " + std::to_string(ranks.rank);
  bool correct =
      verify((rank + ": cell").c_str(), &got[std::size_t(part.halo) * part.pitch],
             std::size_t(part.count) * part.pitch, [&](std::size_t i) { return wanted[i]; });

  if (residual) {
    const std::vector<float> before = whole.d_next.to_host();
    double squares = 0;
    for (std::size_t i = 0; i < cells.size(); ++i)
      squares += double(cells[i] - before[i]) * (cells[i] - before[i]);
    const std::string what = rank + ": residual";
    correct &= verify_value(what.c_str(), *residual, std::sqrt(squares), 1e-9);
  }
  return ranks.sum(correct ? 0 : 1) == 0;
}

} // namespace course
