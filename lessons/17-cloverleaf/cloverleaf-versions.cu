// Lesson 17, the ladder: a step with more and more fused kernels, last with halos by NCCL, compared
// bit for bit with the page's program; then each kernel by itself beside a copy.
//
// Build: nvcc -O3 -fmad=false -ccbin mpicxx -I. lessons/17-cloverleaf/cloverleaf-versions.cu -lnccl
// Run:   mpirun -n 2 ./a.out [DECK]
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"
#include "lessons/17-cloverleaf/connect.hpp"
#include "lessons/17-cloverleaf/kernel_times.hpp"
#include "lessons/17-cloverleaf/nccl_halo.hpp"
#include "lessons/17-cloverleaf/report.hpp"
#include "lessons/17-cloverleaf/rungs.hpp"
#include "lessons/17-cloverleaf/setup.hpp"
#include "lessons/17-cloverleaf/start.hpp"

#include <algorithm>
#include <vector>

// What a run leaves: the fields that the next step would start from.
using Result = std::vector<std::vector<double>>;

Result result_of(const Chunk &chunk) {
  const Fields &f = chunk.f;
  return {chunk.to_host(f.density0, 0, 0), chunk.to_host(f.energy0, 0, 0),
          chunk.to_host(f.xvel0, 1, 1), chunk.to_host(f.yvel0, 1, 1)};
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

// The steps of a deck from its start; the moment that they reach.
Moment run(const course::Ranks &ranks, const Deck &deck, Chunk &chunk, Halo &halo,
           const Rung &rung) {
  Moment now{0, 0, deck.initial_timestep};
  while (!is_complete(deck, now)) {
    ++now.step;
    const double allowed = allowed_time_step(chunk, halo, rung);
    now.dt = std::min({allowed, now.dt * deck.timestep_rise, deck.max_timestep});
    if (!(now.dt >= shortest_time_step))
      report_fault(ranks, chunk, now.step);
    hydro_step(chunk, halo, now.dt, now.step % 2 == 1, rung);
    now.time += now.dt;
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  return now;
}

int main(int argc, char **argv) {
  const course::Ranks ranks(&argc, &argv);
  Options options;
  ranks.first_rank_first([&] { course::expect_arguments(argc, argv, 1, "[DECK]"); });
  if (argc > 1)
    options.deck = argv[1];
  const Deck deck = deck_from(ranks, options);
  const Place place = place_of(ranks.rank, ranks.count, deck.x_cells, deck.y_cells);
  const int sharing = course::choose_device();
  if (!fits(ranks, deck, place, sharing))
    return 2;
  Chunk chunk(place, (deck.xmax - deck.xmin) / deck.x_cells,
              (deck.ymax - deck.ymin) / deck.y_cells);
  Halo mpi_halo(chunk);
  // Ranks of NCCL cannot share a GPU, those of MPI can.
  const bool with_nccl = ranks.count > 1 && ranks.sum(sharing) == ranks.count;
  const ncclComm_t comm = with_nccl ? connect(ranks) : nullptr;
  NcclHalo nccl_halo(chunk, comm);
  start(deck, chunk);

  // The yardstick: the rate at which the devices copy the rows of a field, all at once.
  const std::size_t field_bytes = chunk.grid.pitch * place.ny * sizeof(double);
  const double copy_seconds = course::gpu_seconds(course::size(11, 1), [&] {
    CUDA_CHECK(
        cudaMemcpyAsync(chunk.f.density1, chunk.f.density0, field_bytes, cudaMemcpyDeviceToDevice));
  });
  const double copy_rate = 2.0 * field_bytes / copy_seconds; // of this rank
  const double all_rates = ranks.sum(copy_rate / sharing);

  bool correct = true;
  Result plain;
  double dt = 0;
  for (const Rung &rung : all_rungs) {
    if (rung.nccl && !with_nccl) {
      if (ranks.rank == 0)
        std::puts("   step: nccl: left out, since ranks share a GPU or there is one only");
      continue;
    }
    Halo &halo = rung.nccl ? nccl_halo : mpi_halo;
    start(deck, chunk);
    hydro_step(chunk, halo, allowed_time_step(chunk, halo, rung), true, rung); // loads the kernels
    start(deck, chunk);
    MPI_CHECK(MPI_Barrier(MPI_COMM_WORLD));
    const course::Timer timer;
    const Moment end = run(ranks, deck, chunk, halo, rung);
    MPI_CHECK(MPI_Barrier(MPI_COMM_WORLD));
    const double per_step = timer.seconds() / end.step;
    dt = end.dt;
    if (ranks.rank == 0) {
      if (plain.empty())
        std::printf("%d x %d cells, %d steps; ranks: %d, %d for each GPU\n\n", deck.x_cells,
                    deck.y_cells, end.step, ranks.count, sharing);
      const double bytes = sizeof(double) * rung.doubles * double(deck.x_cells) * deck.y_cells;
      course::figure((std::string("step: ") + rung.name).c_str(), 1e-9 * bytes / per_step, "GB/s",
                     1e-9 * all_rates, "copying, all ranks", per_step);
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
  int mine = correct, all = 0;
  MPI_CHECK(MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
  if (ranks.rank > 0)
    return all ? EXIT_SUCCESS : EXIT_FAILURE;
  std::puts("");
  return course::verdict(all);
}
