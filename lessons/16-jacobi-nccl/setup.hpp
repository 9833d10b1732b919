// What the programs of many ranks do first: read the mesh from the arguments, and see whether it
// fits.
#pragma once

#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/mpi.hpp"
#include "lessons/16-jacobi-nccl/part.hpp"

#include <cstddef>
#include <cstdio>
#include <cstdlib>

// The arguments [columns [rows [steps]]], and the first line of the output. `small` has their
// defaults on a small device. A program may take `more` arguments after them.
inline Mesh mesh_from(const course::Ranks &ranks, int argc, char **argv,
                      const Mesh &small = {512, 510, 300}, int more = 0,
                      const char *takes = "[columns [rows [steps]]]") {
  Mesh mesh{};
  ranks.first_rank_first([&] {
    course::expect_arguments(argc, argv, 3 + more, takes);
    if (ranks.rank == 0)
      course::print_device();
    const Mesh standard = course::size(Mesh{16384, 16382, 1000}, small);
    mesh = {int(course::count_argument(argc, argv, 1, "columns", standard.nx, 40000)),
            int(course::count_argument(argc, argv, 2, "rows", standard.ny, 40000)),
            int(course::count_argument(argc, argv, 3, "steps", standard.max_steps))};
    if (mesh.ny < ranks.count) {
      std::fprintf(stderr, "%s: %d ranks for %d rows: each rank needs at least one row\n", argv[0],
                   ranks.count, mesh.ny);
      std::exit(2);
    }
  });
  return mesh;
}

// Whether each device has room for the parts of the `sharing` ranks on it, with a halo of `halo`
// rows, and that of rank 0 for the whole mesh, too, which the proof computes again: two arrays of
// each. Every rank gets the same answer.
inline bool fits(const course::Ranks &ranks, const Mesh &mesh, int sharing, int halo = 1) {
  const double row = 2.0 * sizeof(float) * (mesh.nx + 31);
  const double needed = row * (mesh.ny / ranks.count + 1 + 2 * halo) * sharing +
                        (ranks.rank == 0 ? row * mesh.ny : 0);
  std::size_t free_bytes = 0, total_bytes = 0;
  CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  int lacks = needed > free_bytes ? ranks.rank : ranks.count, first = 0; // the first one that lacks
  MPI_CHECK(MPI_Allreduce(&lacks, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
  if (first == ranks.rank)
    std::fprintf(
        stderr,
        "%d columns and %d rows do not fit: rank %d's device needs %.0f MB%s, %.0f MB are free\n",
        mesh.nx, mesh.ny, first, 1e-6 * needed,
        first == 0 ? " (with the whole mesh, for the proof)" : "", 1e-6 * free_bytes);
  return first == ranks.count;
}
