// What the program says: lines as the original prints them, what is wrong with a cell, and whether
// the run was right.
#pragma once

#include "common/mpi.hpp"
#include "lessons/17-cloverleaf/checkpoint.hpp"
#include "lessons/17-cloverleaf/deck.hpp"
#include "lessons/17-cloverleaf/summary.hpp"

#include <cmath>
#include <cstdio>

constexpr double shortest_time_step = 1e-7;

inline bool is_complete(const Deck &deck, const Moment &now) {
  return now.time + tiny > deck.end_time || now.step >= deck.end_step;
}

inline void print_step(const Moment &now) {
  std::printf(" Step %7d time %11.7f timestep %9.2E\n", now.step, now.time, now.dt);
}

inline void print_summary(const Moment &now, const Deck &deck, const Summary &summary) {
  const double volume = (deck.xmax - deck.xmin) * (deck.ymax - deck.ymin);
  std::printf("\n Time %.10g\n %12s%16s%16s%16s%16s%16s%16s%16s\n", now.time, "", "Volume", "Mass",
              "Density", "Pressure", "Internal Energy", "Kinetic Energy", "Total Energy");
  std::printf(" step:%7d%16.4E%16.4E%16.4E%16.4E%16.4E%16.4E%16.4E\n\n", now.step, volume,
              summary.mass, summary.mass / volume, summary.pressure / volume,
              summary.internal_energy, summary.kinetic_energy, summary.total_energy());
}

// Names the cell that allows no time step: the first one in which something is no number, or else
// the one with the highest speed. Ends the program.
inline void report_fault(const course::Ranks &ranks, const Chunk &chunk, int step) {
  const Grid &grid = chunk.grid;
  const std::vector<double> density = chunk.to_host(chunk.f.density0, 0, 0);
  const std::vector<double> energy = chunk.to_host(chunk.f.energy0, 0, 0);
  const std::vector<double> viscosity = chunk.to_host(chunk.f.viscosity, 0, 0);
  const std::vector<double> xvel = chunk.to_host(chunk.f.xvel0, 1, 1);
  const std::vector<double> yvel = chunk.to_host(chunk.f.yvel0, 1, 1);
  const auto node_of = [&](std::size_t cell) { return cell + cell / grid.nx; }; // its lower left
  const auto speed = [&](std::size_t cell) {
    const std::size_t low = node_of(cell), high = low + grid.nx + 1;
    double squares =
        heat_ratio * (heat_ratio - 1) * energy[cell] + 2 * viscosity[cell] / density[cell];
    for (const std::size_t node : {low, low + 1, high, high + 1})
      squares += xvel[node] * xvel[node] + yvel[node] * yvel[node];
    const bool is_sound = squares >= 0 && density[cell] > 0 && energy[cell] >= 0; // NaN: false
    return is_sound ? squares : INFINITY;
  };
  struct {
    double speed;
    int rank;
  } mine = {speed(0), ranks.rank}, all{};
  std::size_t cell = 0;
  for (std::size_t i = 1; i < density.size(); ++i)
    if (speed(i) > mine.speed) {
      mine.speed = speed(i);
      cell = i;
    }
  MPI_CHECK(MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD));
  if (all.rank == ranks.rank) {
    std::fflush(stdout);
    std::fprintf(stderr,
                 "step %d: cell (%d, %d) allows no time step: density %g, energy %g, viscosity %g, "
                 "velocity of its lower left node (%g, %g)\n",
                 step, chunk.place.first_x + int(cell % grid.nx),
                 chunk.place.first_y + int(cell / grid.nx), density[cell], energy[cell],
                 viscosity[cell], xvel[node_of(cell)], yvel[node_of(cell)]);
  }
  MPI_CHECK(MPI_Barrier(MPI_COMM_WORLD)); // no rank ends the others before the message is out
  std::exit(EXIT_FAILURE);
}

// Whether the run was right. A test problem must have the kinetic energy that the original's
// authors publish. Any run must keep the mass up to rounding. It keeps the total energy only
// nearly, since the advection of momentum and the viscosity each know only one of its two parts.
inline bool prove(const course::Ranks &ranks, const Deck &deck, const Summary &first,
                  const Summary &last) {
  const double mass = last.mass / first.mass - 1;
  const double energy = last.total_energy() / first.total_energy() - 1;
  if (ranks.rank == 0)
    std::printf("mass changed by %.2g of itself, total energy by %.2g\n", mass, energy);
  bool correct = std::abs(mass) <= 1e-12 && std::abs(energy) <= 0.05;
  if (deck.test_problem > 0) {
    const double off = last.kinetic_energy / published_kinetic_energy(deck.test_problem) - 1;
    if (ranks.rank == 0)
      std::printf("Test problem %d is within %.7E %% of the expected solution\n", deck.test_problem,
                  100 * std::abs(off));
    correct = correct && std::abs(off) <= test_problem_tolerance;
  }
  return correct;
}
