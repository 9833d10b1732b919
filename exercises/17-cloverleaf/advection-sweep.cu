// Exercise 17-cloverleaf/advection-sweep: fluxes through faces, of second order in space.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/17-cloverleaf/advection-sweep.cu -o advection-sweep
// Run:   ./advection-sweep
//
// The flux through a face has the value of its donor cell, where the volume comes from, plus a part
// of the slope there. Two kernels: all fluxes are computed before any cell changes.

#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/17-cloverleaf/advection-sweep.hpp"
#include "exercises/17-cloverleaf/field.hpp"

#include <cstdio>
#include <vector>

// The limited slope of a field at the donor cell; s is the share of its volume that leaves.
__device__ double slope(double upwind, double donor, double downwind, double s) {
  const double a = donor - upwind, b = downwind - donor;
  // TODO 1: 0 at an extremum, otherwise the smallest of the three, with the sign of b
  return 0;
  // TODO end
}

// One thread per face of inner cells. Blocks of 32 x 8 threads.
__global__ void flow_through_faces(int nx, int ny, const double *volume, const double *volume_flux,
                                   const double *density, const double *energy, double *mass_flux,
                                   double *energy_flux) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x + 2;
  const int row = blockIdx.y * blockDim.y + threadIdx.y + 2;
  if (col > nx + 2 || row > ny + 1)
    return;
  const int face = row * (nx + 5) + col;
  const int right = row * (nx + 4) + col; // the cell on its right

  // TODO 2: the three cells, by the sign of the volume flux
  const int donor = right, upwind = right, downwind = right;
  // TODO end

  // TODO 3: mass_flux[face] and energy_flux[face]
  // TODO end
}

// One thread per inner cell.
__global__ void update_cells(int nx, int ny, const double *volume, const double *volume_flux,
                             const double *mass_flux, const double *energy_flux, double *density,
                             double *energy) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x + 2;
  const int row = blockIdx.y * blockDim.y + threadIdx.y + 2;
  if (col > nx + 1 || row > ny + 1)
    return;
  const int cell = row * (nx + 4) + col;

  // TODO 4: the cell's new energy and density
  // TODO end
}

void advection_sweep(int nx, int ny, const double *volume, const double *volume_flux,
                     double *density, double *energy, double *mass_flux) {
  const size_t cells = cells_of(nx, ny), faces = faces_of(nx, ny);
  const Field d_volume(volume, cells), d_volume_flux(volume_flux, faces);
  const Field d_density(density, cells), d_energy(energy, cells);
  const Field d_mass_flux(mass_flux, faces), d_energy_flux(faces);
  const dim3 block(32, 8), grid((nx + 1 + 31) / 32, (ny + 7) / 8); // a face more than cells
  flow_through_faces<<<grid, block>>>(nx, ny, d_volume.data(), d_volume_flux.data(),
                                      d_density.data(), d_energy.data(), d_mass_flux.data(),
                                      d_energy_flux.data());
  CUDA_CHECK(cudaGetLastError());
  update_cells<<<grid, block>>>(nx, ny, d_volume.data(), d_volume_flux.data(), d_mass_flux.data(),
                                d_energy_flux.data(), d_density.data(), d_energy.data());
  CUDA_CHECK(cudaGetLastError());
  d_density.copy_to(density);
  d_energy.copy_to(energy);
  d_mass_flux.copy_to(mass_flux);
}

// All gas moves by `share` of a cell, and the density rises by 1 from cell to cell. After the sweep
// every cell has the density of the point `share` of a cell upwind, exactly. The energy per mass is
// the same everywhere, and does not change.
static bool is_shifted(double share) {
  const int nx = 75, ny = 30, width = nx + 4;
  const size_t cells = cells_of(nx, ny);
  const std::vector<double> volume(cells, 0.5), volume_flux(faces_of(nx, ny), share * 0.5);
  std::vector<double> density(cells), energy(cells, 3), mass_flux(faces_of(nx, ny));
  for (size_t i = 0; i < cells; ++i)
    density[i] = 10 + i % width;
  advection_sweep(nx, ny, volume.data(), volume_flux.data(), density.data(), energy.data(),
                  mass_flux.data());
  const int middle = (ny / 2 + 2) * width + nx / 2 + 2;
  if (density[middle] == 10 + middle % width) {
    std::puts("nothing has moved: fill in TODO 1 to TODO 4");
    std::exit(EXIT_FAILURE);
  }
  std::printf("%+.2f cells: density in the middle %.4f\n", share, density[middle]);
  const auto expected = [&](size_t i) {
    const int col = i % width, row = i / width;
    const bool inner = col > 1 && col < nx + 2 && row > 1 && row < ny + 2;
    return 10 + i % width - (inner ? share : 0);
  };
  const bool correct = course::verify("density", density.data(), cells, expected, 1e-12);
  return course::verify(
             "energy", energy.data(), cells, [](size_t) { return 3; }, 1e-12) &&
         correct;
}

// weak: a program that links this file may have its own main.
__attribute__((weak)) int main() {
  course::print_device();
  const bool to_the_right = is_shifted(0.25);
  return course::verdict(is_shifted(-0.25) && to_the_right);
}
