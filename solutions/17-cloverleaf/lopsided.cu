// Exercise 17-cloverleaf/lopsided: a bug hunt. With wind from the left the velocities are right.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/17-cloverleaf/lopsided.cu -o lopsided
// Run:   ./lopsided
//
// One sweep in x of the momentum advection, as the contract describes it.

#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/17-cloverleaf/field.hpp"
#include "exercises/17-cloverleaf/lopsided.hpp"

#include <cstdio>
#include <vector>

// The gas after the sweep of mass, in device memory.
struct Gas {
  int nx;
  const double *density, *volume, *mass_flux;

  // The mass of a cell.
  __device__ double mass(int col, int row) const {
    const size_t i = size_t(row) * (nx + 4) + col;
    return density[i] * volume[i];
  }
  // The mass that flows from a node to the next one on its right.
  __device__ double flux(int col, int row) const {
    const double *face = mass_flux + size_t(row) * (nx + 5) + col;
    const double *below = face - (nx + 5);
    return 0.25 * (below[0] + below[1] + face[0] + face[1]);
  }
  // The mass of a node, after the sweep and before.
  __device__ double mass_after(int col, int row) const {
    return 0.25 *
           (mass(col - 1, row - 1) + mass(col, row - 1) + mass(col - 1, row) + mass(col, row));
  }
  __device__ double mass_before(int col, int row) const {
    return mass_after(col, row) - flux(col - 1, row) + flux(col, row);
  }
};

// The momentum that each node gives to the next one on its right. Thread (0, 0) is at node (1, 2):
// the first ghost node on the left gives to the first inner node.
__global__ void find_momentum_flux(int ny, Gas gas, const double *velocity, double *momentum_flux) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x + 1;
  const int row = blockIdx.y * blockDim.y + threadIdx.y + 2;
  if (col > gas.nx + 2 || row > ny + 2)
    return;
  const double *v = velocity + size_t(row) * (gas.nx + 5);
  const double flux = gas.flux(col, row);

  // TODO 1: the three nodes, and the share of the donor's mass that it gives away
  const int donor = flux > 0 ? col : col + 1;
  const int upwind = flux > 0 ? col - 1 : col + 2;
  const int downwind = flux > 0 ? col + 1 : col;
  const double s = fabs(flux) / gas.mass_before(donor, row);
  // TODO end

  const double a = v[donor] - v[upwind], b = v[downwind] - v[donor];
  double slope = 0;
  if (a * b > 0)
    slope = copysign(fmin(fmin(fabs(a), fabs(b)), ((1 + s) * fabs(a) + (2 - s) * fabs(b)) / 6), b);
  momentum_flux[size_t(row) * (gas.nx + 5) + col] = flux * (v[donor] + (1 - s) * slope);
}

__global__ void find_velocity(int ny, Gas gas, const double *momentum_flux, double *velocity) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x + 2;
  const int row = blockIdx.y * blockDim.y + threadIdx.y + 2;
  if (col > gas.nx + 2 || row > ny + 2)
    return;
  const size_t i = size_t(row) * (gas.nx + 5) + col;
  velocity[i] =
      (velocity[i] * gas.mass_before(col, row) + momentum_flux[i - 1] - momentum_flux[i]) /
      gas.mass_after(col, row);
}

void lopsided(int nx, int ny, const double *density, const double *volume, const double *mass_flux,
              double *velocity) {
  const Field d_density(density, cells_of(nx, ny)), d_volume(volume, cells_of(nx, ny));
  const Field d_mass_flux(mass_flux, faces_of(nx, ny)), d_velocity(velocity, nodes_of(nx, ny));
  const Field d_momentum_flux(nodes_of(nx, ny));
  const Gas gas{nx, d_density.data(), d_volume.data(), d_mass_flux.data()};
  const dim3 block(32, 8), grid((nx + 2 + 31) / 32, (ny + 1 + 7) / 8);
  find_momentum_flux<<<grid, block>>>(ny, gas, d_velocity.data(), d_momentum_flux.data());
  CUDA_CHECK(cudaGetLastError());
  find_velocity<<<grid, block>>>(ny, gas, d_momentum_flux.data(), d_velocity.data());
  CUDA_CHECK(cudaGetLastError());
  d_velocity.copy_to(velocity);
}

// Reverses the order of the columns, and multiplies every value by `sign`.
std::vector<double> mirrored(const std::vector<double> &list, int columns, double sign) {
  std::vector<double> image(list.size());
  for (size_t i = 0; i < list.size(); ++i)
    image[i] = sign * list[i / columns * columns + (columns - 1 - i % columns)];
  return image;
}

// A steady wind shifts a slope by 0.1 of a cell in one step.
static bool shifts_a_slope(int nx, int ny) {
  const std::vector<double> ones(cells_of(nx, ny), 1), mass_flux(faces_of(nx, ny), 0.1);
  std::vector<double> velocity(nodes_of(nx, ny));
  for (size_t i = 0; i < velocity.size(); ++i)
    velocity[i] = double(i % (nx + 5));
  lopsided(nx, ny, ones.data(), ones.data(), mass_flux.data(), velocity.data());
  const auto expected = [&](size_t i) {
    const int col = i % (nx + 5), row = i / (nx + 5);
    const bool inner = col >= 2 && col <= nx + 2 && row >= 2 && row <= ny + 2;
    return inner ? col - 0.1 : col;
  };
  return course::verify("velocity in a steady wind", velocity.data(), velocity.size(), expected,
                        1e-13);
}

// Scattered values from `least` to `most`.
static std::vector<double> scattered(size_t n, double least, double most) {
  std::vector<double> values(n);
  for (size_t i = 0; i < n; ++i)
    values[i] = least + (most - least) * (i * 7919 % 1009) / 1008;
  return values;
}

// Scattered gas with wind from the left, and its mirror image: the new velocities must be mirror
// images as well.
static bool is_symmetric(int nx, int ny) {
  const std::vector<double> volume(cells_of(nx, ny), 1);
  const std::vector<double> density = scattered(cells_of(nx, ny), 0.5, 2);
  const std::vector<double> mass_flux = scattered(faces_of(nx, ny), 0, 0.1);
  std::vector<double> velocity = scattered(nodes_of(nx, ny), 1, 2);
  const std::vector<double> m_density = mirrored(density, nx + 4, 1);
  const std::vector<double> m_mass_flux = mirrored(mass_flux, nx + 5, -1);
  std::vector<double> m_velocity = mirrored(velocity, nx + 5, -1);
  lopsided(nx, ny, density.data(), volume.data(), mass_flux.data(), velocity.data());
  lopsided(nx, ny, m_density.data(), volume.data(), m_mass_flux.data(), m_velocity.data());
  const std::vector<double> image = mirrored(velocity, nx + 5, -1);
  const auto expected = [&](size_t i) { return image[i]; };
  return course::verify("velocity in the mirror", m_velocity.data(), m_velocity.size(), expected,
                        1e-13);
}

// weak: a program that links this file may have its own main.
__attribute__((weak)) int main() {
  course::print_device();
  const bool shifted = shifts_a_slope(60, 37);
  return course::verdict(is_symmetric(60, 37) && shifted);
}
