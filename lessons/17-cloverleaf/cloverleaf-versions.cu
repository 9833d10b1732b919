// Lesson 17, versions: a step with more and more fused kernels, finally with NCCL halos. Each
// version must have the same bits as version 1, the plain step of cloverleaf.cu. Then each plain
// kernel is timed by itself.
//
// Build: nvcc -O3 -std=c++17 -fmad=false -ccbin mpicxx -I. lessons/17-cloverleaf/cloverleaf-versions.cu -o cloverleaf-versions -lnccl
// Run:   mpirun -n 2 ./cloverleaf-versions [DECK]
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/mpi.hpp"
#include "common/nccl.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"
#include "lessons/17-cloverleaf/fused.hpp"
#include "lessons/17-cloverleaf/run.hpp"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

struct Version {
  const char *name;
  Stages stages;
  bool nccl;   // halos by NCCL
  int doubles; // that a step moves per cell, if each kernel loads and stores each field once
};
constexpr auto gas_fused_step = allowed_time_step_fused<true>; // for the plain Lagrangian step
constexpr auto gas_only = allowed_time_step_fused<false>;
constexpr Version versions[] = {
    {"plain", plain, false, 122},
    {"gas", {gas_fused_step, lagrangian_step, sweep_cells, sweep_momentum}, false, 114},
    {"lagrange", {gas_only, lagrangian_step_fused, sweep_cells, sweep_momentum}, false, 89},
    {"cells", {gas_only, lagrangian_step_fused, sweep_cells_fused, sweep_momentum}, false, 76},
    {"momentum", fused, false, 42},
    {"nccl", fused, true, 42},
};

// Version 6: a message is work in the stream, so the host does not wait for it.
class NcclHalo : public Halo {
public:
  NcclHalo(const course::Ranks &ranks, const Chunk &chunk) : Halo(chunk) {
    ncclUniqueId id{};
    if (ranks.rank == 0)
      NCCL_CHECK(ncclGetUniqueId(&id));
    MPI_CHECK(MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD));
    NCCL_CHECK(ncclCommInitRank(&comm, ranks.count, id, ranks.rank)); // waits for all ranks
  }
  ~NcclHalo() override { ncclCommDestroy(comm); }

private:
  void transfer(const int *ranks, int count) override {
    const cudaStream_t stream = nullptr; // the default stream: the kernels run there, too
    NCCL_CHECK(ncclGroupStart());
    for (int i : {0, 1}) {
      if (ranks[i] == wall)
        continue;
      const double *sent = d_sent.data() + i * count;
      double *received = d_received.data() + i * count;
      NCCL_CHECK(ncclSend(sent, count, ncclDouble, ranks[i], comm, stream));
      NCCL_CHECK(ncclRecv(received, count, ncclDouble, ranks[i], comm, stream));
    }
    NCCL_CHECK(ncclGroupEnd());
  }

  ncclComm_t comm;
};

// The fields that the next step would start from.
using Result = std::vector<std::vector<double>>;

Result result_of(const Chunk &chunk) {
  const Fields &f = chunk.f;
  return {chunk.to_host(f.density0, 0), chunk.to_host(f.energy0, 0), chunk.to_host(f.xvel0, 1),
          chunk.to_host(f.yvel0, 1)};
}

bool is_same(const Result &got, const Result &want) {
  const char *names[] = {"density", "energy", "x velocity", "y velocity"};
  bool same = true;
  for (int k = 0; k < 4; ++k)
    same &= course::verify(names[k], got[k].data(), got[k].size(),
                           [&](std::size_t i) { return want[k][i]; });
  return same;
}

// The time of each plain kernel by itself.
class KernelTimes {
public:
  // copy_rate: bytes per second. Only one rank prints.
  KernelTimes(Chunk &chunk, double dt, double copy_rate, bool prints)
      : chunk(chunk), dt(dt), copy_rate(copy_rate), prints(prints) {}

  void measure_all() const {
    measure("ideal_gas", 4, [&] {
      ideal_gas<<<cells, threads>>>(grid, f.density0, f.energy0, f.pressure, f.sound_speed);
    });
    measure("viscosity", 5, [&] {
      viscosity<<<cells, threads>>>(grid, f.density0, f.pressure, f.xvel0, f.yvel0, f.viscosity);
    });
    measure("time_step", 5, [&] {
      time_step<<<few, threads>>>(grid, f.density0, f.sound_speed, f.viscosity, f.xvel0, f.yvel0,
                                  chunk.least.data());
    });
    measure("pdv, predictor", 8, [&] {
      pdv<<<cells, threads>>>(grid, 0.5 * dt, f.density0, f.energy0, f.pressure, f.viscosity,
                              f.xvel0, f.xvel0, f.yvel0, f.yvel0, f.density1, f.energy1);
    });
    measure("accelerate", 7, [&] {
      accelerate<<<nodes, threads>>>(grid, dt, f.density0, f.pressure, f.viscosity, f.xvel0,
                                     f.yvel0, f.xvel1, f.yvel1);
    });
    measure("pdv, corrector", 10, [&] {
      pdv<<<cells, threads>>>(grid, dt, f.density0, f.energy0, f.pressure, f.viscosity, f.xvel0,
                              f.xvel1, f.yvel0, f.yvel1, f.density1, f.energy1);
    });
    measure("flux", 6, [&] {
      flux<<<nodes, threads>>>(grid, dt, f.xvel0, f.xvel1, f.yvel0, f.yvel1, f.vol_flux_x,
                               f.vol_flux_y);
    });
    for (const Sweep &sweep : {x_sweep, y_sweep})
      measure_sweep(sweep);
  }

private:
  static std::string name(const char *kernel, const Sweep &sweep) {
    return kernel + std::string(sweep.along_x ? ", x" : ", y");
  }

  void measure_sweep(const Sweep &sweep) const {
    const SweepFluxes flux(f, sweep);
    const int across = sweep.is_first;
    measure(name("cell_fluxes", sweep), 5 + across, [&] {
      cell_fluxes<<<nodes, threads>>>(grid, sweep, f.density1, f.energy1, flux.along, flux.across,
                                      flux.mass.values, f.work[0]);
    });
    measure(name("advect_cells", sweep), 7 + across, [&] {
      advect_cells<<<cells, threads>>>(grid, sweep, flux.along, flux.across, flux.mass.values,
                                       f.work[0], f.density1, f.energy1);
    });
    measure(name("node_masses", sweep), 5 + across, [&] {
      node_masses<<<nodes, threads>>>(grid, sweep, f.density1, flux.across, flux.mass.values,
                                      f.work[0], f.work[1], f.work[2]);
    });
    measure(name("momentum_flux", sweep), 4, [&] {
      momentum_flux<<<nodes, threads>>>(grid, sweep, f.work[0], f.work[1], f.xvel1, f.work[3]);
    });
    measure(name("advect_momentum", sweep), 5, [&] {
      advect_momentum<<<nodes, threads>>>(grid, sweep, f.work[3], f.work[1], f.work[2], f.xvel1);
    });
  }

  // doubles: loaded and stored per cell, each field once.
  template <class Launch> void measure(const std::string &name, int doubles, Launch launch) const {
    const double seconds = course::gpu_seconds(course::problem_size(5, 1), [&] {
      launch();
      CUDA_CHECK(cudaGetLastError());
    });
    const double rate = sizeof(double) * doubles * double(grid.nx) * grid.ny / seconds;
    if (prints)
      course::figure(name.c_str(), 1e-9 * rate, "GB/s",
                     {.limit = 1e-9 * copy_rate, .limit_is = "the copy", .seconds = seconds});
  }

  Chunk &chunk;
  const double dt, copy_rate;
  const bool prints;
  const Grid &grid = chunk.grid;
  const Fields &f = chunk.f;
  const Sweep x_sweep{grid, true, true}, y_sweep{grid, false, false};
  const dim3 threads = block_shape(), cells = blocks_for(grid.nx, grid.ny);
  const dim3 nodes = blocks_for(grid.nx + 1, grid.ny + 1), few = few_blocks_for(grid.nx, grid.ny);
};

// Seconds per step of a version, on all ranks.
double seconds_per_step(const course::Ranks &ranks, const Deck &deck, Chunk &chunk, Halo &halo,
                        const Stages &stages) {
  start(deck, chunk);
  hydro_step(chunk, halo, stages.allowed_time_step(chunk, halo), true, stages); // warm-up
  start(deck, chunk);
  MPI_CHECK(MPI_Barrier(MPI_COMM_WORLD));
  const course::Timer timer;
  const Moment end = run(ranks, deck, chunk, halo, stages);
  CUDA_CHECK(cudaDeviceSynchronize());
  MPI_CHECK(MPI_Barrier(MPI_COMM_WORLD));
  return timer.seconds() / end.step;
}

// Times all versions. True if all have the same bits on this rank. copy_rate: of all devices.
bool compare_versions(const course::Ranks &ranks, const Deck &deck, Chunk &chunk, bool with_nccl,
                      double copy_rate) {
  Halo mpi_halo(chunk);
  std::optional<NcclHalo> nccl_halo;
  if (with_nccl)
    nccl_halo.emplace(ranks, chunk);

  bool correct = true;
  Result first;
  for (const Version &version : versions) {
    if (version.nccl && !with_nccl) {
      if (ranks.rank == 0)
        std::puts("   step: nccl: needs at least two ranks, each with its own GPU");
      continue;
    }
    Halo &halo = version.nccl ? *nccl_halo : mpi_halo;
    const double seconds = seconds_per_step(ranks, deck, chunk, halo, version.stages);
    const double bytes = sizeof(double) * version.doubles * double(deck.x_cells) * deck.y_cells;
    if (ranks.rank == 0)
      course::figure(
          (std::string("step: ") + version.name).c_str(), 1e-9 * bytes / seconds, "GB/s",
          {.limit = 1e-9 * copy_rate, .limit_is = "copying, all ranks", .seconds = seconds});
    const Result result = result_of(chunk);
    if (first.empty())
      first = result;
    correct &= is_same(result, first);
  }
  return correct;
}

// Bytes per second of a copy of a field on this device, while all devices copy.
double copy_rate_of(const Chunk &chunk) {
  const std::size_t bytes = chunk.grid.pitch * chunk.grid.ny * sizeof(double);
  const double seconds = course::gpu_seconds(course::problem_size(11, 1), [&] {
    CUDA_CHECK(
        cudaMemcpyAsync(chunk.f.density1, chunk.f.density0, bytes, cudaMemcpyDeviceToDevice));
  });
  return 2.0 * bytes / seconds;
}

int main(int argc, char **argv) {
  const course::Ranks ranks(&argc, &argv);
  Deck deck;
  ranks.first_rank_first([&] {
    course::expect_arguments(argc, argv, 1, "[DECK]");
    if (ranks.rank == 0)
      course::print_device();
    deck = argc > 1 ? read_deck(argv[1]) : benchmark(course::problem_size(3840, 240));
  });
  const int sharing = course::choose_device(); // ranks on this GPU
  Chunk chunk(place_of(ranks.rank, ranks.count, deck.x_cells, deck.y_cells), deck.dx(), deck.dy());
  start(deck, chunk);
  const double copy_rate = copy_rate_of(chunk) / sharing, all_rates = ranks.sum(copy_rate);
  if (ranks.rank == 0)
    std::printf("%d x %d cells; ranks: %d, per GPU: %d\n\n", deck.x_cells, deck.y_cells,
                ranks.count, sharing);

  // NCCL ranks cannot share a GPU, MPI ranks can.
  const bool with_nccl = ranks.count > 1 && ranks.sum(sharing) == ranks.count;
  const bool correct = compare_versions(ranks, deck, chunk, with_nccl, all_rates);
  if (ranks.rank == 0)
    std::puts("");
  KernelTimes(chunk, deck.initial_timestep, copy_rate, ranks.rank == 0).measure_all();

  const bool all_correct = ranks.sum(correct) == ranks.count;
  if (ranks.rank > 0)
    return all_correct ? EXIT_SUCCESS : EXIT_FAILURE;
  std::puts("");
  return course::verdict(all_correct);
}
