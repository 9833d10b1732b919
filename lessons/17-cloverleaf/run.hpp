// A run around its steps: the fields at its start, the field summary, and the check at its end.
#pragma once

#include "common/buffer.hpp"
#include "common/check.hpp"
#include "common/mpi.hpp"
#include "lessons/17-cloverleaf/deck.hpp"
#include "lessons/17-cloverleaf/step.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

// The states of a deck in device memory, and the position of this chunk in the box.
struct Setting {
  double xmin, ymin;
  int x_cells, y_cells, first_x, first_y;
  const State *states;
  int count;
};

// True if a cell of the mesh belongs to a state. The original moves the limits of a rectangle
// inwards by 1/100 of a cell, so that rounding does not matter if a limit is the edge of a cell.
inline __device__ bool belongs(const State &state, const Grid &grid, const Setting &setting, int x,
                               int y) {
  const double left = setting.xmin + grid.dx * x, right = setting.xmin + grid.dx * (x + 1);
  const double bottom = setting.ymin + grid.dy * y, top = setting.ymin + grid.dy * (y + 1);
  const double off_x = 0.5 * (left + right) - state.xmin, off_y = 0.5 * (bottom + top) - state.ymin;
  if (state.geometry == State::rectangle)
    return right >= state.xmin + grid.dx / 100 && left < state.xmax - grid.dx / 100 &&
           top >= state.ymin + grid.dy / 100 && bottom < state.ymax - grid.dy / 100;
  if (state.geometry == State::circle)
    return sqrt(off_x * off_x + off_y * off_y) <= state.radius;
  return left <= state.xmin && state.xmin < right && bottom <= state.ymin && state.ymin < top;
}

// The last state that a cell of this chunk, or next to it, belongs to. All cells belong to state 0.
inline __device__ int state_of(const Grid &grid, const Setting &setting, int x, int y) {
  const int mesh_x = setting.first_x + x, mesh_y = setting.first_y + y;
  if (mesh_x < 0 || mesh_x >= setting.x_cells || mesh_y < 0 || mesh_y >= setting.y_cells)
    return 0;
  int state = setting.count - 1;
  while (state > 0 && !belongs(setting.states[state], grid, setting, mesh_x, mesh_y))
    --state;
  return state;
}

// One thread per node and the cell above on its right. A node has the velocity of the last state
// around it. Nothing flows through a wall.
static __global__ void fill(Grid grid, Setting setting, double *density, double *energy,
                            double *xvel, double *yvel) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > grid.nx || y > grid.ny)
    return;
  const std::ptrdiff_t i = grid.at(x, y);
  const int here = state_of(grid, setting, x, y);
  if (x < grid.nx && y < grid.ny) {
    density[i] = setting.states[here].density;
    energy[i] = setting.states[here].energy;
  }
  const int around =
      max(max(here, state_of(grid, setting, x - 1, y)),
          max(state_of(grid, setting, x, y - 1), state_of(grid, setting, x - 1, y - 1)));
  const int mesh_x = setting.first_x + x, mesh_y = setting.first_y + y;
  const bool at_wall_x = mesh_x == 0 || mesh_x == setting.x_cells;
  const bool at_wall_y = mesh_y == 0 || mesh_y == setting.y_cells;
  xvel[i] = at_wall_x ? 0 : setting.states[around].xvel;
  yvel[i] = at_wall_y ? 0 : setting.states[around].yvel;
}

inline void start(const Deck &deck, Chunk &chunk) {
  const course::Buffer<State> states(deck.states);
  const Setting setting{
      deck.xmin,           deck.ymin,           deck.x_cells,  deck.y_cells,
      chunk.place.first_x, chunk.place.first_y, states.data(), int(deck.states.size())};
  fill<<<blocks_for(chunk.grid.nx + 1, chunk.grid.ny + 1), block_shape()>>>(
      chunk.grid, setting, chunk.f.density0, chunk.f.energy0, chunk.f.xvel0, chunk.f.yvel0);
  CUDA_CHECK(cudaGetLastError());
} // ~Buffer waits for the kernel

// A sum in two doubles: `low` holds what rounding would have taken from `high`. So the summary has
// the same digits for any number of ranks, up to very rare cases.
struct Sum {
  double high, low;

  __host__ __device__ void add(double value) { // Knuth's two-sum
    const double sum = high + value, of_value = sum - high;
    low += (high - (sum - of_value)) + (value - of_value);
    high = sum;
  }
  __host__ __device__ void add(const Sum &other) {
    add(other.high);
    low += other.low;
  }
};

struct Summary { // of the whole mesh; pressure: times volume
  double mass, pressure, internal_energy, kinetic_energy;
  double total_energy() const { return internal_energy + kinetic_energy; }
};
constexpr int sums = 4;

// Each block writes its sums: the warps add by shuffles, then one thread per sum adds the sums of
// the warps.
static __global__ void summarise(Grid grid, const double *density, const double *energy,
                                 const double *pressure, const double *xvel, const double *yvel,
                                 Sum *of_blocks) {
  __shared__ Sum of_warps[sums][32];
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  Sum sum[sums] = {};
  if (x < grid.nx)
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < grid.ny; y += gridDim.y * blockDim.y) {
      const std::ptrdiff_t i = grid.at(x, y);
      const auto mean_square = [&](const double *field) {
        const Corners u = corners(field, i, grid.pitch);
        return Corners{u.lower_left * u.lower_left, u.lower_right * u.lower_right,
                       u.upper_left * u.upper_left, u.upper_right * u.upper_right}
            .sum();
      };
      const double mass = grid.volume * density[i];
      sum[0].add(mass);
      sum[1].add(grid.volume * pressure[i]);
      sum[2].add(mass * energy[i]);
      sum[3].add(0.5 * mass * (0.25 * (mean_square(xvel) + mean_square(yvel))));
    }
  for (int k = 0; k < sums; ++k) {
    for (int away = 16; away > 0; away /= 2) {
      const double high = __shfl_down_sync(0xFFFFFFFFu, sum[k].high, away);
      sum[k].add(Sum{high, __shfl_down_sync(0xFFFFFFFFu, sum[k].low, away)});
    }
    if (thread % 32 == 0)
      of_warps[k][thread / 32] = sum[k];
  }
  __syncthreads();
  if (thread >= sums)
    return;
  Sum all = {0, 0};
  for (int warp = 0; warp < int(blockDim.x * blockDim.y) / 32; ++warp)
    all.add(of_warps[thread][warp]);
  of_blocks[(blockIdx.y * gridDim.x + blockIdx.x) * sums + thread] = all;
}

// The summary of all ranks, on every rank.
inline Summary summary_of(const course::Ranks &ranks, const Chunk &chunk) {
  const Fields &f = chunk.f;
  ideal_gas<<<blocks_for(chunk.grid.nx, chunk.grid.ny), block_shape()>>>(
      chunk.grid, f.density0, f.energy0, f.pressure, f.sound_speed);
  CUDA_CHECK(cudaGetLastError());
  const dim3 blocks = few_blocks_for(chunk.grid.nx, chunk.grid.ny);
  const course::Buffer<Sum> of_blocks(std::size_t(blocks.x) * blocks.y * sums);
  summarise<<<blocks, block_shape()>>>(chunk.grid, f.density0, f.energy0, f.pressure, f.xvel0,
                                       f.yvel0, of_blocks.data());
  CUDA_CHECK(cudaGetLastError());
  const auto total = [](const std::vector<Sum> &parts) {
    std::array<Sum, sums> all{};
    for (std::size_t i = 0; i < parts.size(); ++i)
      all[i % sums].add(parts[i]);
    return all;
  };
  const std::array<Sum, sums> mine = total(of_blocks.to_host());
  std::vector<Sum> of_ranks(std::size_t(ranks.count) * sums);
  MPI_CHECK(MPI_Allgather(mine.data(), 2 * sums, MPI_DOUBLE, of_ranks.data(), 2 * sums, MPI_DOUBLE,
                          MPI_COMM_WORLD));
  const std::array<Sum, sums> all = total(of_ranks);
  const auto value = [&](int k) { return all[k].high + all[k].low; };
  return {value(0), value(1), value(2), value(3)};
}

// The state of a run: steps done, the time that they have reached, and the length of the last one.
struct Moment {
  int step;
  double time, dt;
};
inline bool is_complete(const Deck &deck, const Moment &now) {
  return now.time + tiny > deck.end_time || now.step >= deck.end_step;
}

// The next time step. No rank goes on if it is too short, as it is for a NaN.
inline double next_time_step(const course::Ranks &ranks, const Deck &deck, const Moment &now,
                             double allowed) {
  const double dt = std::min({allowed, now.dt * deck.timestep_rise, deck.max_timestep});
  if (dt >= 1e-7)
    return dt;
  if (ranks.rank == 0)
    std::fprintf(stderr,
                 "step %d: the cells allow a time step of only %g: a value is NaN or too large\n",
                 now.step, allowed);
  MPI_CHECK(MPI_Barrier(MPI_COMM_WORLD)); // no rank ends the others before the message is out
  std::exit(EXIT_FAILURE);
}

// All steps of a deck. Calls `after_step` with each moment. Returns the last one.
inline Moment run(
    const course::Ranks &ranks, const Deck &deck, Chunk &chunk, Halo &halo, const Stages &stages,
    const std::function<void(const Moment &)> &after_step = [](const Moment &) {}) {
  Moment now{0, 0, deck.initial_timestep};
  // [loop]
  while (!is_complete(deck, now)) {
    ++now.step;
    const double allowed = stages.allowed_time_step(chunk, halo);
    now.dt = next_time_step(ranks, deck, now, allowed);
    hydro_step(chunk, halo, now.dt, now.step % 2 == 1, stages);
    now.time += now.dt;
    after_step(now);
  }
  // [end]
  return now;
}

// Prints the summary of this moment in the format of the original, and returns it.
inline Summary report(const course::Ranks &ranks, const Deck &deck, const Chunk &chunk,
                      const Moment &now) {
  const Summary summary = summary_of(ranks, chunk);
  if (ranks.rank > 0)
    return summary;
  const double volume = (deck.xmax - deck.xmin) * (deck.ymax - deck.ymin);
  std::printf("\n Time %.10g\n %12s%16s%16s%16s%16s%16s%16s%16s\n", now.time, "", "Volume", "Mass",
              "Density", "Pressure", "Internal Energy", "Kinetic Energy", "Total Energy");
  std::printf(" step:%7d%16.4E%16.4E%16.4E%16.4E%16.4E%16.4E%16.4E\n\n", now.step, volume,
              summary.mass, summary.mass / volume, summary.pressure / volume,
              summary.internal_energy, summary.kinetic_energy, summary.total_energy());
  return summary;
}

// True if the run was right: a test problem has its published kinetic energy, and any run keeps its
// mass up to rounding. It keeps the total energy approximately.
inline bool is_right(const course::Ranks &ranks, const Deck &deck, const Summary &first,
                     const Summary &last) {
  const double mass = last.mass / first.mass - 1;
  const double energy = last.total_energy() / first.total_energy() - 1;
  if (ranks.rank == 0)
    std::printf("relative change: mass %.2g, total energy %.2g\n", mass, energy);
  bool correct = std::abs(mass) <= 1e-12 && std::abs(energy) <= 0.05;
  if (deck.test_problem > 0) {
    const double off = last.kinetic_energy / published_kinetic_energy(deck.test_problem) - 1;
    if (ranks.rank == 0)
      std::printf("Test problem %d is within %.7E %% of the expected solution\n", deck.test_problem,
                  100 * std::abs(off));
    correct = correct && std::abs(off) <= 1e-5; // the original's tolerance
  }
  return correct;
}
