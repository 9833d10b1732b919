// The parts of exercise 17-cloverleaf/capstone that are not functions of other exercises.
#pragma once

#include "exercises/17-cloverleaf/advection-sweep.hpp"
#include "exercises/17-cloverleaf/field.hpp"
#include "exercises/17-cloverleaf/lopsided.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

// A rank's part of the gas. Fields are in host memory, as in the contracts.
struct Part {
  int nx, ny;
  double dx, dy;
  double *density, *energy, *xvel, *yvel;     // at the start of a step, and at its end
  double *pressure, *sound_speed, *viscosity; // of cells
  double *density1, *energy1;                 // of cells, when the nodes have moved
  double *mean_xvel, *mean_yvel;              // of nodes, in a step
  double *flux_x, *flux_y;                    // volumes through faces in x and in y
  double *volume;                             // of cells, before or after a sweep
  double *mass_flux;                          // of a sweep

  Part(int nx, int ny, double dx, double dy, double *density, double *energy, double *xvel,
       double *yvel)
      : nx(nx), ny(ny), dx(dx), dy(dy), density(density), energy(energy), xvel(xvel), yvel(yvel),
        memory_(11 * nodes_of(nx, ny)) {
    double *free = memory_.data();
    for (double **field : {&pressure, &sound_speed, &viscosity, &density1, &energy1, &mean_xvel,
                           &mean_yvel, &flux_x, &flux_y, &volume, &mass_flux}) {
      *field = free;
      free += nodes_of(nx, ny); // fields of nodes are the longest
    }
  }
  Part(const Part &) = delete;
  Part &operator=(const Part &) = delete;

private:
  std::vector<double> memory_;
};

// The values at the four nodes of a cell.
struct Corners {
  double lower_left, lower_right, upper_left, upper_right;
  __device__ Corners(const double *nodes, int nx, int col, int row) {
    const double *lower = nodes + size_t(row) * (nx + 5) + col, *upper = lower + nx + 5;
    lower_left = lower[0], lower_right = lower[1], upper_left = upper[0], upper_right = upper[1];
  }
  __device__ double left() const { return (lower_left + upper_left) / 2; }
  __device__ double right() const { return (lower_right + upper_right) / 2; }
  __device__ double lower() const { return (lower_left + lower_right) / 2; }
  __device__ double upper() const { return (upper_left + upper_right) / 2; }
};

// The artificial viscosity of inner cells. It resists if gas is compressed along the gradient of
// its pressure, so that a shock is a few cells wide and not noisy.
static __global__ void resist(int nx, int ny, double dx, double dy, const double *density,
                              const double *pressure, const double *xvel, const double *yvel,
                              double *viscosity) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x + 2;
  const int row = blockIdx.y * blockDim.y + threadIdx.y + 2;
  if (col >= nx + 2 || row >= ny + 2)
    return;
  const size_t i = size_t(row) * (nx + 4) + col;
  const Corners u(xvel, nx, col, row), v(yvel, nx, col, row);
  const double du = u.right() - u.left(), dv = v.upper() - v.lower();
  const double shear = (u.upper() - u.lower()) / dy + (v.right() - v.left()) / dx;
  const double px = (pressure[i + 1] - pressure[i - 1]) / (2 * dx);
  const double py = (pressure[i + nx + 4] - pressure[i - (nx + 4)]) / (2 * dy);
  const double along = (du / dx * px * px + dv / dy * py * py + shear * px * py) /
                       fmax(px * px + py * py, 1e-16); // the gradient
  viscosity[i] = 0;
  if (along > 0 || dx * du + dy * dv >= 0)
    return;
  const double x = fmax(fabs(px), 1e-16), y = fmax(fabs(py), 1e-16), length = sqrt(x * x + y * y);
  const double width = fmin(dx * length / x, dy * length / y); // of the cell along the gradient
  viscosity[i] = 2 * density[i] * width * width * along * along;
}

inline void find_viscosity(const Part &part) {
  const int nx = part.nx, ny = part.ny;
  const size_t cells = cells_of(nx, ny), nodes = nodes_of(nx, ny);
  const Field density(part.density, cells), pressure(part.pressure, cells);
  const Field xvel(part.xvel, nodes), yvel(part.yvel, nodes), viscosity(part.viscosity, cells);
  const dim3 block(32, 8), grid((nx + 31) / 32, (ny + 7) / 8);
  resist<<<grid, block>>>(nx, ny, part.dx, part.dy, density.data(), pressure.data(), xvel.data(),
                          yvel.data(), viscosity.data());
  CUDA_CHECK(cudaGetLastError());
  viscosity.copy_to(part.viscosity);
}

// Pressure and viscosity accelerate inner nodes, each with a quarter of its four cells' mass.
static __global__ void push(int nx, int ny, double dx, double dy, double dt, const double *density,
                            const double *pressure, const double *viscosity, double *xvel,
                            double *yvel) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x + 2;
  const int row = blockIdx.y * blockDim.y + threadIdx.y + 2;
  if (col > nx + 2 || row > ny + 2)
    return;
  const size_t upper = size_t(row) * (nx + 4) + col, lower = upper - (nx + 4); // cells on the right
  const auto force = [&](size_t i) { return pressure[i] + viscosity[i]; };
  const double mass =
      dx * dy / 4 * (density[lower - 1] + density[lower] + density[upper - 1] + density[upper]);
  const size_t node = size_t(row) * (nx + 5) + col;
  xvel[node] -=
      dt / 2 * dy / mass * (force(upper) - force(upper - 1) + force(lower) - force(lower - 1));
  yvel[node] -=
      dt / 2 * dx / mass * (force(upper) - force(lower) + force(upper - 1) - force(lower - 1));
}

inline void accelerate(const Part &part, double dt) {
  const int nx = part.nx, ny = part.ny;
  const size_t cells = cells_of(nx, ny), nodes = nodes_of(nx, ny);
  const Field density(part.density, cells), pressure(part.pressure, cells);
  const Field viscosity(part.viscosity, cells), xvel(part.xvel, nodes), yvel(part.yvel, nodes);
  const dim3 block(32, 8), grid((nx + 1 + 31) / 32, (ny + 1 + 7) / 8);
  push<<<grid, block>>>(nx, ny, part.dx, part.dy, dt, density.data(), pressure.data(),
                        viscosity.data(), xvel.data(), yvel.data());
  CUDA_CHECK(cudaGetLastError());
  xvel.copy_to(part.xvel);
  yvel.copy_to(part.yvel);
}

// The volumes that flow through all faces in a step, and the volumes of the cells before the
// sweeps.
inline void find_volumes(const Part &part, double dt) {
  const int nx = part.nx, ny = part.ny, cells = nx + 4, nodes = nx + 5; // of a row
  for (int row = 0; row < ny + 4; ++row)
    for (int col = 0; col < nx + 5; ++col) {
      const double *u = part.mean_xvel + row * nodes + col;
      part.flux_x[row * nodes + col] = dt * part.dy * (u[0] + u[nodes]) / 2;
    }
  for (int row = 0; row < ny + 5; ++row)
    for (int col = 0; col < nx + 4; ++col) {
      const double *v = part.mean_yvel + row * nodes + col;
      part.flux_y[row * cells + col] = dt * part.dx * (v[0] + v[1]) / 2;
    }
  for (int row = 0; row < ny + 4; ++row)
    for (int col = 0; col < nx + 4; ++col) {
      const double *x = part.flux_x + row * nodes + col, *y = part.flux_y + row * cells + col;
      part.volume[row * cells + col] = part.dx * part.dy + x[1] - x[0] + y[cells] - y[0];
    }
}

// The transposed array: its columns as rows.
inline std::vector<double> transposed(const double *array, int columns, int rows) {
  std::vector<double> other(size_t(columns) * rows);
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < columns; ++col)
      other[size_t(col) * rows + row] = array[size_t(row) * columns + col];
  return other;
}
inline void transpose_back(const std::vector<double> &other, double *array, int columns, int rows) {
  const std::vector<double> back = transposed(other.data(), rows, columns);
  std::copy(back.begin(), back.end(), array);
}

// A sweep of mass and energy. A sweep in y is one in x of the transposed arrays. Afterwards
// `volume` is the volume after the sweep.
inline void advect_cells(const Part &part, bool in_x) {
  const int nx = part.nx, ny = part.ny;
  if (in_x)
    advection_sweep(nx, ny, part.volume, part.flux_x, part.density1, part.energy1, part.mass_flux);
  else {
    const auto volume = transposed(part.volume, nx + 4, ny + 4);
    const auto flux = transposed(part.flux_y, nx + 4, ny + 5);
    auto density = transposed(part.density1, nx + 4, ny + 4);
    auto energy = transposed(part.energy1, nx + 4, ny + 4);
    std::vector<double> mass_flux(flux.size());
    advection_sweep(ny, nx, volume.data(), flux.data(), density.data(), energy.data(),
                    mass_flux.data());
    transpose_back(density, part.density1, nx + 4, ny + 4);
    transpose_back(energy, part.energy1, nx + 4, ny + 4);
    transpose_back(mass_flux, part.mass_flux, nx + 4, ny + 5);
  }
  for (int row = 0; row < ny + 4; ++row)
    for (int col = 0; col < nx + 4; ++col) {
      const int columns = in_x ? nx + 5 : nx + 4; // of the fluxes
      const double *flux = (in_x ? part.flux_x : part.flux_y) + row * columns + col;
      part.volume[row * (nx + 4) + col] -= flux[in_x ? 1 : columns] - flux[0];
    }
}

// A sweep of the momentum in one direction, which velocity is part.xvel or part.yvel.
inline void advect_momentum(const Part &part, bool in_x, double *velocity) {
  const int nx = part.nx, ny = part.ny;
  if (in_x) {
    lopsided(nx, ny, part.density1, part.volume, part.mass_flux, velocity);
    return;
  }
  const auto density = transposed(part.density1, nx + 4, ny + 4);
  const auto volume = transposed(part.volume, nx + 4, ny + 4);
  const auto mass_flux = transposed(part.mass_flux, nx + 4, ny + 5);
  auto other = transposed(velocity, nx + 5, ny + 5);
  lopsided(ny, nx, density.data(), volume.data(), mass_flux.data(), other.data());
  transpose_back(other, velocity, nx + 5, ny + 5);
}

// Of this part.
inline double kinetic_energy(const Part &part) {
  double sum = 0;
  for (int row = 2; row < part.ny + 2; ++row)
    for (int col = 2; col < part.nx + 2; ++col) {
      const int lower = row * (part.nx + 5) + col, upper = lower + part.nx + 5;
      double squares = 0;
      for (int node : {lower, lower + 1, upper, upper + 1})
        squares += part.xvel[node] * part.xvel[node] + part.yvel[node] * part.yvel[node];
      sum += part.density[row * (part.nx + 4) + col] * part.dx * part.dy / 2 * squares / 4;
    }
  return sum;
}
