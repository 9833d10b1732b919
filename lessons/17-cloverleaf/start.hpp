// The fields at the start of a run: what the states of a deck say.
#pragma once

#include "lessons/17-cloverleaf/deck.hpp"
#include "lessons/17-cloverleaf/gas.hpp"

#include <algorithm>

// The mesh as a whole, and the states of a deck in device memory.
struct Setting {
  double xmin, ymin;
  int x_cells, y_cells, first_x, first_y; // first: of this chunk in the mesh
  const State *states;
  int count;
};

// Whether a cell of the mesh belongs to a state. The limits of a rectangle are moved inwards by
// 1/100 of a cell, as the original does: where a limit is a cell's edge, rounding does not matter.
inline __device__ bool belongs(const State &state, const Grid &grid, const Setting &setting, int x,
                               int y) {
  const double left = setting.xmin + grid.dx * x, right = setting.xmin + grid.dx * (x + 1);
  const double bottom = setting.ymin + grid.dy * y, top = setting.ymin + grid.dy * (y + 1);
  const double off_x = 0.5 * (left + right) - state.xmin, off_y = 0.5 * (bottom + top) - state.ymin;
  switch (state.geometry) {
  case State::Geometry::rectangle:
    return right >= state.xmin + grid.dx / 100 && left < state.xmax - grid.dx / 100 &&
           top >= state.ymin + grid.dy / 100 && bottom < state.ymax - grid.dy / 100;
  case State::Geometry::circle:
    return sqrt(off_x * off_x + off_y * off_y) <= state.radius;
  case State::Geometry::point:
    return left <= state.xmin && state.xmin < right && bottom <= state.ymin && state.ymin < top;
  }
  return false;
}

// The last state that a cell of this chunk, or beside it, belongs to. The first, the background,
// has all cells.
inline __device__ int state_of(const Grid &grid, const Setting &setting, int x, int y) {
  const int mesh_x = setting.first_x + x, mesh_y = setting.first_y + y;
  if (mesh_x < 0 || mesh_x >= setting.x_cells || mesh_y < 0 || mesh_y >= setting.y_cells)
    return 0;
  int state = setting.count - 1;
  while (state > 0 && !belongs(setting.states[state], grid, setting, mesh_x, mesh_y))
    --state;
  return state;
}

// One thread per node and the cell above at its right. A node has the velocity of the last state
// around it; nothing flows through a wall.
__global__ void fill(Grid grid, Setting setting, double *density, double *energy, double *xvel,
                     double *yvel) {
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
  const int of_node =
      max(max(here, state_of(grid, setting, x - 1, y)),
          max(state_of(grid, setting, x, y - 1), state_of(grid, setting, x - 1, y - 1)));
  const int mesh_x = setting.first_x + x, mesh_y = setting.first_y + y;
  const bool at_wall_x = mesh_x == 0 || mesh_x == setting.x_cells;
  const bool at_wall_y = mesh_y == 0 || mesh_y == setting.y_cells;
  xvel[i] = at_wall_x ? 0 : setting.states[of_node].xvel;
  yvel[i] = at_wall_y ? 0 : setting.states[of_node].yvel;
}

inline void start(const Deck &deck, Chunk &chunk) {
  const std::size_t bytes = deck.states.size() * sizeof(State);
  State *states = nullptr;
  CUDA_CHECK(cudaMalloc(&states, bytes));
  CUDA_CHECK(cudaMemcpy(states, deck.states.data(), bytes, cudaMemcpyHostToDevice));
  const Setting setting{
      deck.xmin,           deck.ymin,           deck.x_cells, deck.y_cells,
      chunk.place.first_x, chunk.place.first_y, states,       int(deck.states.size())};
  fill<<<blocks_for(chunk.grid.nx + 1, chunk.grid.ny + 1), block_shape()>>>(
      chunk.grid, setting, chunk.f.density0, chunk.f.energy0, chunk.f.xvel0, chunk.f.yvel0);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaFree(states)); // waits for the kernel
}
