// Lesson 16, the ladder: ways to exchange the halo, chosen by name, and compared bit for bit with a
// run on one GPU.
//
// Build: nvcc -O3 -ccbin mpicxx -I. lessons/16-jacobi-nccl/jacobi-nccl-versions.cu -lnccl -o versions
// Run:   mpirun -n 2 ./versions [columns [rows [steps [every [way]...]]]]
//
// every: steps from one residual to the next. jacobi-nccl.cu, the page's program, is the way
// nccl-overlapped with a simple step.
#include "common/cuda_aware.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "lessons/16-jacobi-nccl/connect.hpp"
#include "lessons/16-jacobi-nccl/proof.hpp"
#include "lessons/16-jacobi-nccl/setup.hpp"
#include "lessons/16-jacobi-nccl/stretch.hpp"
#include "lessons/16-jacobi-nccl/ways.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

using How = std::variant<Way, Iteration::Queue>; // by MPI, as in lesson 15, or by NCCL

struct Named {
  const char *name;
  How how;
  int halo; // rows, and steps of a pass
};

const std::vector<Named> all_ways = {
    {"staged", Way::staged, 1},
    {"cuda-aware", Way::cuda_aware, 1},
    {"overlapped", Way::overlapped, 1},
    {"nccl", Iteration::Queue::in_turn, 1},
    {"nccl-overlapped", Iteration::Queue::overlapped, 1},
    {"graph", Iteration::Queue::graph, 1},
    {"wide-2", Iteration::Queue::overlapped, 2},
    {"wide-4", Iteration::Queue::overlapped, 4},
    {"wide-5", Iteration::Queue::overlapped, 5},
    {"wide-10", Iteration::Queue::overlapped, 10},
    {"wide-10-graph", Iteration::Queue::graph, 10},
};

struct Run {
  int done;        // steps
  double residual; // of the last one, the same on all ranks
  double seconds;
};

// The iteration of a part by MPI, with the functions of class Iteration. The host waits in each
// step.
class IterationByMpi {
public:
  IterationByMpi(const course::Ranks &ranks, Part &part, Way way)
      : ranks(ranks), part(part), way(way) {}

  void restart(int ny) { part.start(ny); }

  void start(int steps) {
    for (int step = 1; step <= steps; ++step) {
      step_and_exchange(part, way, streams, step == steps);
      std::swap(part.d_now, part.d_next);
    }
    residuals[started++ % 2] = residual_of(ranks, part);
  }

  double finish() { return residuals[finished++ % 2]; }

private:
  const course::Ranks &ranks;
  Part &part;
  Way way;
  Streams streams;
  double residuals[2]{}; // of the last stretches
  int started = 0, finished = 0;
};

// Runs from the start values until the residual is small or `max_steps` are done. The host looks at
// the residual of one stretch of `every` steps while the next one runs, so that nothing waits for
// the host: the iteration ends one stretch later.
template <class Work> Run iterate(const Mesh &mesh, int every, Work &work) {
  work.restart(mesh.ny);
  CUDA_CHECK(cudaDeviceSynchronize());
  MPI_CHECK(MPI_Barrier(MPI_COMM_WORLD)); // all ranks start together
  const course::Timer timer;
  Run run{0, std::numeric_limits<double>::infinity(), 0};
  const auto start = [&] {
    const int steps = std::min(every, mesh.max_steps - run.done);
    work.start(steps);
    run.done += steps;
  };
  start();
  while (run.done < mesh.max_steps && run.residual > tolerance) {
    start();
    run.residual = work.finish();
  }
  run.residual = work.finish();
  CUDA_CHECK(cudaDeviceSynchronize());
  MPI_CHECK(MPI_Barrier(MPI_COMM_WORLD)); // and all have ended
  run.seconds = timer.seconds();
  return run;
}

// What the first launches, messages and graphs cost is left out: a shorter run goes before. After
// two stretches the next one begins as the first one did, with the same arrays and the same sum. So
// the shorter run, with some pairs of stretches less, makes all graphs of the longer one.
template <class Work> Run iterate_twice(const Mesh &mesh, int every, Work &&work) {
  const int pair = 2 * every;
  Mesh shorter = mesh;
  shorter.max_steps = std::min(mesh.max_steps, pair + mesh.max_steps % pair);
  iterate(shorter, every, work);
  return iterate(mesh, every, work);
}

Run run(const course::Ranks &ranks, Part &part, ncclComm_t comm, const Mesh &mesh, int every,
        const Named &way) {
  if (const auto *queue = std::get_if<Iteration::Queue>(&way.how))
    return iterate_twice(mesh, every, Iteration(part, comm, *queue));
  return iterate_twice(mesh, every, IterationByMpi(ranks, part, std::get<Way>(way.how)));
}

// Why a way is left out; empty: it runs.
std::string lacks(const Named &way, int fewest_rows) {
  if (way.how == How(Way::cuda_aware) && !course::mpi_is_cuda_aware())
    return "this MPI takes no device pointers (if yours does, but cannot be asked: "
           "COURSE_CUDA_AWARE=1)";
  if (way.halo > fewest_rows)
    return "a rank has fewer rows than the halo";
  return "";
}

// The ways that the arguments name, from `first` on; all without names.
std::vector<Named> ways_from(const course::Ranks &ranks, int argc, char **argv, int first) {
  std::vector<Named> chosen;
  ranks.first_rank_first([&] {
    for (int i = first; i < argc; ++i) {
      const auto is_it = [&](const Named &way) { return std::string(argv[i]) == way.name; };
      const auto found = std::find_if(all_ways.begin(), all_ways.end(), is_it);
      if (found == all_ways.end()) {
        std::fprintf(stderr, "%s: there is no way \"%s\"; there are:", argv[0], argv[i]);
        for (const Named &way : all_ways)
          std::fprintf(stderr, " %s", way.name);
        std::fprintf(stderr, "\n");
        std::exit(2);
      }
      chosen.push_back(*found);
    }
  });
  return chosen.empty() ? all_ways : chosen;
}

int main(int argc, char **argv) {
  const course::Ranks ranks(&argc, &argv);
  const Mesh mesh = mesh_from(ranks, argc, argv, {140, 50, 200}, 1 + int(all_ways.size()),
                              "[columns [rows [steps [every [way]...]]]]");
  int every = 0;
  ranks.first_rank_first([&] {
    every = int(course::count_argument(argc, argv, 4, "every", residual_every, 1000000));
  });
  const std::vector<Named> ways = ways_from(ranks, argc, argv, 5);
  int halo = 0;
  bool with_nccl = false; // ranks of NCCL cannot share a GPU, those of MPI can
  for (const Named &way : ways) {
    halo = std::max(halo, way.halo);
    with_nccl = with_nccl || std::holds_alternative<Iteration::Queue>(way.how);
  }
  const int sharing = course::choose_device(); // ranks on this GPU
  if (!fits(ranks, mesh, sharing, halo))
    return 2;
  // Here no call of NCCL is made while a graph that has others runs, so NCCL need not order them.
  setenv("NCCL_GRAPH_MIXING_SUPPORT", "0", 0); // 0: a value of the user's own stays
  const ncclComm_t comm = with_nccl ? connect(ranks) : nullptr;
  if (ranks.rank == 0)
    std::printf("%d columns, %d rows; ranks: %d; the residual every %d steps\n\n", mesh.nx, mesh.ny,
                ranks.count, every);

  double copy_rate = 0; // bytes per second of copies, of all GPUs together: the yardstick
  Expected expected{};
  bool correct = true;
  for (const Named &way : ways) {
    if (const std::string why = lacks(way, mesh.ny / ranks.count); !why.empty()) {
      if (ranks.rank == 0)
        std::printf("   %s: left out, since %s\n", way.name, why.c_str());
      continue;
    }
    Part part(ranks.rank, ranks.count, mesh, way.halo);
    if (copy_rate == 0) {
      const std::size_t bytes = part.bytes(part.count);
      const double seconds = course::gpu_seconds(course::size(11, 1), [&] {
        CUDA_CHECK(cudaMemcpyAsync(part.d_next, part.d_now, bytes, cudaMemcpyDeviceToDevice));
      });
      copy_rate = ranks.sum(2.0 * bytes / seconds / sharing);
    }
    const auto [done, residual, seconds] = run(ranks, part, comm, mesh, every, way);
    if (done != expected.steps)
      expected = expected_after(ranks, part, mesh.ny, done);
    correct = prove(ranks, part, expected, residual) && correct;
    if (ranks.rank == 0) {
      const double rate = 8.0 * mesh.nx * mesh.ny * done / seconds; // read once, written once
      course::figure(way.name, 1e-9 * rate, "GB/s", 1e-9 * copy_rate, "copying", seconds);
    }
  }
  if (with_nccl)
    NCCL_CHECK(ncclCommDestroy(comm));
  if (ranks.rank > 0)
    return correct ? EXIT_SUCCESS : EXIT_FAILURE;
  std::printf("\n%d steps, residual %g\n", expected.steps, expected.residual);
  return course::verdict(correct);
}
