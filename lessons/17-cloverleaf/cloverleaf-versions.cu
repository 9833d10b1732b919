// Lesson 17, versions: a step with more and more fused kernels, finally with NCCL halos. Each
// version must have the same bits as version 1, the plain step of cloverleaf.cu. Then each kernel
// is timed by itself.
//
// Build: nvcc -O3 -fmad=false -ccbin mpicxx -I. lessons/17-cloverleaf/cloverleaf-versions.cu -lnccl
// Run:   mpirun -n 2 ./a.out [DECK]
#include "common/arguments.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/nccl.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"
#include "lessons/17-cloverleaf/fused.hpp"
#include "lessons/17-cloverleaf/run.hpp"

struct Version {
  const char *name;
  bool gas, lagrange, cells, momentum, nccl; // fused, and with NCCL halos
  int doubles; // that a step moves per cell, if each kernel loads and stores each field once
};
constexpr Version versions[] = {
    {"plain", false, false, false, false, false, 122}, // 1
    {"gas", true, false, false, false, false, 114},    // 2
    {"lagrange", true, true, false, false, false, 89}, // 3
    {"cells", true, true, true, false, false, 76},     // 4
    {"momentum", true, true, true, true, false, 42},   // 5
    {"nccl", true, true, true, true, true, 42},        // 6
};

// Version 2: ideal gas, viscosity and time step in one kernel.
double allowed_time_step(const Chunk &chunk, Halo &halo, const Version &version) {
  if (!version.gas)
    return allowed_time_step(chunk, halo);
  const Grid &grid = chunk.grid;
  const Fields &f = chunk.f;
  halo.update({{f.density0, of_cells},
               {f.energy0, of_cells},
               {f.xvel0, x_velocity},
               {f.yvel0, y_velocity}});
  CUDA_CHECK(cudaMemset(chunk.d_least, 0x7F, sizeof *chunk.d_least));
  gas_fused<<<few_blocks_for(grid.nx + 2, grid.ny + 2), block_shape()>>>(
      grid, f.density0, f.energy0, f.xvel0, f.yvel0, version.lagrange ? nullptr : f.pressure,
      f.viscosity, chunk.d_least);
  CUDA_CHECK(cudaGetLastError());
  return least_of_ranks(chunk);
}

// Version 3: the whole Lagrangian step in one kernel.
void lagrangian_step_fused(const Chunk &chunk, double dt) {
  const Fields &f = chunk.f;
  lagrange_fused<<<LagrangeStrip::blocks(chunk.grid.nx + 1, chunk.grid.ny), strip_threads()>>>(
      chunk.grid, dt, f.density0, f.energy0, f.viscosity, f.xvel0, f.yvel0, f.density1, f.energy1,
      f.xvel1, f.yvel1, f.vol_flux_x, f.vol_flux_y);
  CUDA_CHECK(cudaGetLastError());
}

// Version 4: the fluxes and the cells of a sweep in one kernel. It cannot work in place: another
// warp may still need an old value next to its strip.
void sweep_cells_fused(Chunk &chunk, const Sweep &sweep) {
  Fields &f = chunk.f;
  const SweepFluxes flux(f, sweep);
  const Grid &grid = chunk.grid;
  const dim3 blocks = sweep.along_x ? CellsStripX::blocks(grid.nx + 1, grid.ny)
                                    : CellsStripY::blocks(grid.nx, grid.ny);
  const auto kernel = sweep.along_x ? cells_fused_x : cells_fused_y;
  kernel<<<blocks, strip_threads()>>>(grid, sweep.is_first, f.density1, f.energy1, flux.along,
                                      flux.across, f.density0, f.energy0, flux.mass.values);
  CUDA_CHECK(cudaGetLastError());
  std::swap(f.density0, f.density1);
  std::swap(f.energy0, f.energy1);
}

// Version 5: node masses, momentum fluxes and velocities of a sweep in one kernel.
void sweep_momentum_fused(Chunk &chunk, const Sweep &sweep) {
  Fields &f = chunk.f;
  const SweepFluxes flux(f, sweep);
  const dim3 blocks = sweep.along_x ? MomentumStripX::blocks(chunk.grid.nx + 1, chunk.grid.ny + 1)
                                    : MomentumStripY::blocks(chunk.grid.nx + 1, chunk.grid.ny + 1);
  const auto kernel = sweep.along_x ? momentum_fused_x : momentum_fused_y;
  kernel<<<blocks, strip_threads()>>>(chunk.grid, sweep.is_first, f.density1, flux.across,
                                      flux.mass.values, f.xvel1, f.yvel1, f.xvel0, f.yvel0);
  CUDA_CHECK(cudaGetLastError());
  std::swap(f.xvel0, f.xvel1);
  std::swap(f.yvel0, f.yvel1);
}

// Version 6: a message is work in the stream, so the host does not wait for it.
class NcclHalo : public Halo {
public:
  NcclHalo(const Chunk &chunk, ncclComm_t comm) : Halo(chunk), comm(comm) {}

private:
  void transfer(const int *neighbours, int count) override {
    const cudaStream_t stream = nullptr; // the default stream: the kernels run there, too
    NCCL_CHECK(ncclGroupStart());
    for (int i : {0, 1})
      if (neighbours[i] != wall) {
        NCCL_CHECK(ncclSend(d_sent + i * count, count, ncclDouble, neighbours[i], comm, stream));
        NCCL_CHECK(
            ncclRecv(d_received + i * count, count, ncclDouble, neighbours[i], comm, stream));
      }
    NCCL_CHECK(ncclGroupEnd());
  }

  const ncclComm_t comm;
};

ncclComm_t connect(const course::Ranks &ranks) {
  ncclUniqueId id{};
  if (ranks.rank == 0)
    NCCL_CHECK(ncclGetUniqueId(&id));
  MPI_CHECK(MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD));
  ncclComm_t comm;
  NCCL_CHECK(ncclCommInitRank(&comm, ranks.count, id, ranks.rank)); // waits for all ranks
  return comm;
}

// hydro_step of step.hpp, with the kernels of a version.
void hydro_step(Chunk &chunk, Halo &halo, double dt, bool x_first, const Version &version) {
  Fields &f = chunk.f;
  if (version.lagrange)
    lagrangian_step_fused(chunk, dt);
  else
    lagrangian_step(chunk, halo, dt);
  halo.update({{f.density1, of_cells},
               {f.energy1, of_cells},
               {f.vol_flux_x, x_flux},
               {f.vol_flux_y, y_flux}});
  for (const Sweep &sweep :
       {Sweep(chunk.grid, x_first, true), Sweep(chunk.grid, !x_first, false)}) {
    if (version.cells)
      sweep_cells_fused(chunk, sweep);
    else
      sweep_cells(chunk, sweep);
    halo.update({{f.density1, of_cells},
                 {f.energy1, of_cells},
                 SweepFluxes(f, sweep).mass,
                 {f.xvel1, x_velocity},
                 {f.yvel1, y_velocity}});
    if (version.momentum)
      sweep_momentum_fused(chunk, sweep);
    else
      sweep_momentum(chunk, sweep);
  }
  f.swap();
}

// All steps of a deck, from its start.
Moment run(const course::Ranks &ranks, const Deck &deck, Chunk &chunk, Halo &halo,
           const Version &version) {
  Moment now{0, 0, deck.initial_timestep};
  while (!is_complete(deck, now)) {
    ++now.step;
    const double allowed = allowed_time_step(chunk, halo, version);
    now.dt = next_time_step(ranks, deck, now, allowed);
    hydro_step(chunk, halo, now.dt, now.step % 2 == 1, version);
    now.time += now.dt;
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  return now;
}

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
    same = course::verify(names[k], got[k].data(), got[k].size(),
                          [&](std::size_t i) { return want[k][i]; }) &&
           same;
  return same;
}

// The time of each kernel by itself.
class KernelTimes {
public:
  // copy_rate: bytes per second. Only one rank prints.
  KernelTimes(Chunk &chunk, double dt, double copy_rate, bool prints)
      : chunk(chunk), dt(dt), copy_rate(copy_rate), prints(prints) {}

  void plain() const {
    measure("ideal_gas", 4, [&] {
      ideal_gas<<<cells, threads>>>(grid, f.density0, f.energy0, f.pressure, f.sound_speed);
    });
    measure("viscosity", 5, [&] {
      viscosity<<<cells, threads>>>(grid, f.density0, f.pressure, f.xvel0, f.yvel0, f.viscosity);
    });
    measure("time_step", 5, [&] {
      time_step<<<few, threads>>>(grid, f.density0, f.sound_speed, f.viscosity, f.xvel0, f.yvel0,
                                  chunk.d_least);
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
      plain_sweep(sweep);
  }

  void fused() {
    measure("gas_fused", 5, [&] {
      gas_fused<<<few, threads>>>(grid, f.density0, f.energy0, f.xvel0, f.yvel0, nullptr,
                                  f.viscosity, chunk.d_least);
    });
    measure("lagrange_fused", 11, [&] { lagrangian_step_fused(chunk, dt); });
    for (const Sweep &sweep : {x_sweep, y_sweep}) {
      const int across = sweep.is_first; // only the first sweep reads the flux across
      measure(name("cells_fused", sweep), 6 + across, [&] { sweep_cells_fused(chunk, sweep); });
      measure(name("momentum_fused", sweep), 6 + across,
              [&] { sweep_momentum_fused(chunk, sweep); });
    }
  }

private:
  static std::string name(const char *kernel, const Sweep &sweep) {
    return kernel + std::string(sweep.along_x ? ", x" : ", y");
  }

  void plain_sweep(const Sweep &sweep) const {
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

int main(int argc, char **argv) {
  const course::Ranks ranks(&argc, &argv);
  Deck deck;
  ranks.first_rank_first([&] {
    course::expect_arguments(argc, argv, 1, "[DECK]");
    if (ranks.rank == 0)
      course::print_device();
    deck = argc > 1 ? read_deck(argv[1]) : benchmark(course::problem_size(3840, 240));
  });
  const int sharing = course::choose_device();
  Chunk chunk(place_of(ranks.rank, ranks.count, deck.x_cells, deck.y_cells),
              (deck.xmax - deck.xmin) / deck.x_cells, (deck.ymax - deck.ymin) / deck.y_cells);
  Halo mpi_halo(chunk);
  // NCCL ranks cannot share a GPU, MPI ranks can.
  const bool with_nccl = ranks.count > 1 && ranks.sum(sharing) == ranks.count;
  const ncclComm_t comm = with_nccl ? connect(ranks) : nullptr;
  NcclHalo nccl_halo(chunk, comm);
  start(deck, chunk);

  // The reference: all devices copy a field at the same time.
  const std::size_t field_bytes = chunk.grid.pitch * chunk.grid.ny * sizeof(double);
  const double copy_seconds = course::gpu_seconds(course::problem_size(11, 1), [&] {
    CUDA_CHECK(
        cudaMemcpyAsync(chunk.f.density1, chunk.f.density0, field_bytes, cudaMemcpyDeviceToDevice));
  });
  const double copy_rate = 2.0 * field_bytes / copy_seconds; // on this rank
  const double all_rates = ranks.sum(copy_rate / sharing);

  bool correct = true;
  Result plain;
  double dt = 0;
  for (const Version &version : versions) {
    if (version.nccl && !with_nccl) {
      if (ranks.rank == 0)
        std::puts("   step: nccl: needs at least two ranks, each with its own GPU");
      continue;
    }
    Halo &halo = version.nccl ? nccl_halo : mpi_halo;
    start(deck, chunk);
    hydro_step(chunk, halo, allowed_time_step(chunk, halo, version), true, version); // warm-up
    start(deck, chunk);
    MPI_CHECK(MPI_Barrier(MPI_COMM_WORLD));
    const course::Timer timer;
    const Moment end = run(ranks, deck, chunk, halo, version);
    MPI_CHECK(MPI_Barrier(MPI_COMM_WORLD));
    const double per_step = timer.seconds() / end.step;
    dt = end.dt;
    if (ranks.rank == 0) {
      if (plain.empty())
        std::printf("%d x %d cells, %d steps; ranks: %d, per GPU: %d\n\n", deck.x_cells,
                    deck.y_cells, end.step, ranks.count, sharing);
      const double bytes = sizeof(double) * version.doubles * double(deck.x_cells) * deck.y_cells;
      course::figure(
          (std::string("step: ") + version.name).c_str(), 1e-9 * bytes / per_step, "GB/s",
          {.limit = 1e-9 * all_rates, .limit_is = "copying, all ranks", .seconds = per_step});
    }
    const Result result = result_of(chunk);
    if (plain.empty())
      plain = result;
    correct = is_same(result, plain) && correct;
  }

  if (ranks.rank == 0)
    std::puts("");
  KernelTimes times(chunk, dt, copy_rate / sharing, ranks.rank == 0);
  times.plain();
  times.fused();
  if (with_nccl)
    NCCL_CHECK(ncclCommDestroy(comm));
  const bool all_correct = ranks.sum(correct) == ranks.count;
  if (ranks.rank > 0)
    return all_correct ? EXIT_SUCCESS : EXIT_FAILURE;
  std::puts("");
  return course::verdict(all_correct);
}
