// Exercise 17-cloverleaf/ideal-gas: the pressure of a gas, and its sound speed.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/17-cloverleaf/ideal-gas.cu -o ideal-gas
// Run:   ./ideal-gas
//
// The warm-up: no cell needs another one, so ghost cells are computed like all others.

#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/17-cloverleaf/field.hpp"
#include "exercises/17-cloverleaf/ideal-gas.hpp"

#include <cmath>
#include <cstdio>
#include <vector>

// One thread per cell. Blocks of 32 x 8 threads.
__global__ void equation_of_state(int nx, int ny, const double *density, const double *energy,
                                  double *pressure, double *sound_speed) {
  const double gamma = 1.4;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;

  // TODO 1: the pressure and the sound speed of this thread's cell, if it has one
  if (col < nx + 4 && row < ny + 4) {
    const int cell = row * (nx + 4) + col;
    pressure[cell] = (gamma - 1) * density[cell] * energy[cell];
    sound_speed[cell] = sqrt(gamma * pressure[cell] / density[cell]);
  }
  // TODO end
}

void ideal_gas(int nx, int ny, const double *density, const double *energy, double *pressure,
               double *sound_speed) {
  const size_t cells = cells_of(nx, ny);
  const Field d_density(density, cells), d_energy(energy, cells);
  const Field d_pressure(cells), d_sound_speed(cells);
  const dim3 block(32, 8), grid((nx + 4 + 31) / 32, (ny + 4 + 7) / 8);
  equation_of_state<<<grid, block>>>(nx, ny, d_density.data(), d_energy.data(), d_pressure.data(),
                                     d_sound_speed.data());
  CUDA_CHECK(cudaGetLastError());
  d_pressure.copy_to(pressure);
  d_sound_speed.copy_to(sound_speed);
}

// weak: a program that links this file may have its own main.
__attribute__((weak)) int main() {
  course::print_device();
  // Air of different densities, all at 0 degrees Celsius: so all have the same energy per mass.
  const int nx = 75, ny = 30;
  const size_t cells = cells_of(nx, ny);
  const double joules = 101'325 / (0.4 * 1.2929); // per kilogram, from its pressure and density
  std::vector<double> density(cells), energy(cells, joules);
  std::vector<double> pressure(cells, NAN), sound_speed(cells, NAN);
  for (size_t i = 0; i < cells; ++i)
    density[i] = 1.2929 * (1 + i % 101);

  ideal_gas(nx, ny, density.data(), energy.data(), pressure.data(), sound_speed.data());
  if (std::isnan(pressure[0])) {
    std::puts("no cell has a pressure yet: fill in TODO 1");
    return EXIT_FAILURE;
  }
  std::printf("air at 0 degrees: %.0f Pa, and sound travels %.1f m/s (measured: 331 m/s)\n",
              pressure[0], sound_speed[0]);
  const auto pascals = [](size_t i) { return 101'325.0 * (1 + i % 101); };
  const auto metres_per_second = [&](size_t) { return std::sqrt(1.4 * 0.4 * joules); };
  bool correct = course::verify("pressure", pressure.data(), cells, pascals, 1e-12);
  correct =
      course::verify("sound speed", sound_speed.data(), cells, metres_per_second, 1e-12) && correct;
  return course::verdict(correct);
}
