// Exercise 17-cloverleaf/pdv: the work of compression, with one layer of the halo.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/17-cloverleaf/pdv.cu -o pdv
// Run:   ./pdv
//
// The nodes move, and the volume of a cell changes, but not its mass. Arrays of cells and arrays of
// nodes have different widths. One layer of ghost cells is computed here instead of received.

#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/17-cloverleaf/field.hpp"
#include "exercises/17-cloverleaf/pdv.hpp"

#include <cstdio>
#include <vector>

// One thread per cell that is computed. Blocks of 32 x 8 threads.
__global__ void compress(int nx, int ny, double dx, double dy, double time, const double *density0,
                         const double *energy0, const double *pressure, const double *viscosity,
                         const double *xvel, const double *yvel, double *density1,
                         double *energy1) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;

  // TODO 1: a guard, and the column and row of this thread's cell in the arrays
  if (x >= nx + 2 || y >= ny + 2)
    return;
  const int col = x + 1, row = y + 1;
  // TODO end

  // TODO 2: the index of the cell in its arrays, and the indices of its four nodes in theirs
  const int cell = row * (nx + 4) + col;
  const int lower_left = row * (nx + 5) + col, lower_right = lower_left + 1;
  const int upper_left = lower_left + nx + 5, upper_right = upper_left + 1;
  // TODO end

  // TODO 3: the growth of the cell's volume
  const double right = dy * (xvel[lower_right] + xvel[upper_right]) / 2;
  const double left = dy * (xvel[lower_left] + xvel[upper_left]) / 2;
  const double top = dx * (yvel[upper_left] + yvel[upper_right]) / 2;
  const double bottom = dx * (yvel[lower_left] + yvel[lower_right]) / 2;
  const double change = time * (right - left + top - bottom);
  // TODO end

  // TODO 4: the cell's new density and energy
  const double volume = dx * dy;
  density1[cell] = density0[cell] * volume / (volume + change);
  energy1[cell] =
      energy0[cell] - (pressure[cell] + viscosity[cell]) * change / (volume * density0[cell]);
  // TODO end
}

void pdv(int nx, int ny, double dx, double dy, double time, const double *density0,
         const double *energy0, const double *pressure, const double *viscosity, const double *xvel,
         const double *yvel, double *density1, double *energy1) {
  const size_t cells = cells_of(nx, ny), nodes = nodes_of(nx, ny);
  const Field d_density0(density0, cells), d_energy0(energy0, cells);
  const Field d_pressure(pressure, cells), d_viscosity(viscosity, cells);
  const Field d_xvel(xvel, nodes), d_yvel(yvel, nodes);
  const Field d_density1(density1, cells), d_energy1(energy1, cells);
  // TODO 5: the number of columns and rows of cells that need threads
  const int columns = nx + 2, rows = ny + 2;
  // TODO end
  const dim3 block(32, 8), grid((columns + 31) / 32, (rows + 7) / 8);
  compress<<<grid, block>>>(nx, ny, dx, dy, time, d_density0.data(), d_energy0.data(),
                            d_pressure.data(), d_viscosity.data(), d_xvel.data(), d_yvel.data(),
                            d_density1.data(), d_energy1.data());
  CUDA_CHECK(cudaGetLastError());
  d_density1.copy_to(density1);
  d_energy1.copy_to(energy1);
}

// The test case. The velocities are x^2 and -y^2 / 2, so the volume of a cell around (x, y) grows
// by 2 x - y of its size per second, exactly.
constexpr int nx_of_test = 61, ny_of_test = 30, width_of_test = nx_of_test + 4;
constexpr double dx_of_test = 0.02, dy_of_test = 0.05, half_step = 0.05;

static void fill(std::vector<double> &xvel, std::vector<double> &yvel) {
  const int nodes_per_row = nx_of_test + 5;
  for (size_t i = 0; i < xvel.size(); ++i) {
    const double x = i % nodes_per_row * dx_of_test, y = i / nodes_per_row * dy_of_test;
    xvel[i] = x * x;
    yvel[i] = -0.5 * y * y;
  }
}

static bool is_computed(size_t i) { // all cells but the outer layer of ghost cells
  const int col = i % width_of_test, row = i / width_of_test;
  return col > 0 && col < nx_of_test + 3 && row > 0 && row < ny_of_test + 3;
}

static double growth(size_t i) { // relative growth of the volume in half a step
  const double x = (i % width_of_test + 0.5) * dx_of_test;
  const double y = (i / width_of_test + 0.5) * dy_of_test;
  return half_step * (2 * x - y);
}

// weak: a program that links this file may have its own main.
__attribute__((weak)) int main() {
  course::print_device();
  const int nx = nx_of_test, ny = ny_of_test;
  const size_t cells = cells_of(nx, ny);
  std::vector<double> xvel(nodes_of(nx, ny)), yvel(xvel.size());
  fill(xvel, yvel);
  const std::vector<double> density0(cells, 2), energy0(cells, 3), pressure(cells, 2.4),
      viscosity(cells, 0.1);
  std::vector<double> density1(cells, -1), energy1(cells, -1);
  pdv(nx, ny, dx_of_test, dy_of_test, half_step, density0.data(), energy0.data(), pressure.data(),
      viscosity.data(), xvel.data(), yvel.data(), density1.data(), energy1.data());
  const int middle = (ny / 2 + 2) * width_of_test + nx / 2 + 2;
  if (density1[middle] == -1) {
    std::puts("no cell has a new density yet: fill in TODO 1 to TODO 5");
    return 1;
  }
  std::printf("a cell in the middle: density %.4f, energy %.4f\n", density1[middle],
              energy1[middle]);
  const auto density = [](size_t i) { return is_computed(i) ? 2 / (1 + growth(i)) : -1; };
  const auto energy = [](size_t i) { return is_computed(i) ? 3 - 2.5 * growth(i) / 2 : -1; };
  const bool correct = course::verify("density", density1.data(), cells, density, 1e-11);
  return course::verdict(course::verify("energy", energy1.data(), cells, energy, 1e-11) && correct);
}
