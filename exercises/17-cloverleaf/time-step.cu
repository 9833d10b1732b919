// Exercise 17-cloverleaf/time-step: the longest step that all cells allow.
//
// Build: nvcc -O3 -I. exercises/{17-cloverleaf/time-step,07-reduction/coldest}.cu -o time-step
// Run:   ./time-step
//
// Your norm in lesson 07 is a sum that starts from 0. This is a minimum, with another identity.
// Your coldest in lesson 07 is also a minimum, and main() compares the two results. An error in
// coldest.cu belongs to that exercise.

#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/07-reduction/coldest.hpp"
#include "exercises/17-cloverleaf/field.hpp"
#include "exercises/17-cloverleaf/time-step.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

constexpr int block = 256;

// `length` / |speed|, the shorter time for two speeds.
__device__ double time_to_cross(double length, double speed, double other_speed) {
  return length / fmax(fabs(speed), fabs(other_speed));
}

// A grid-stride loop over the inner cells, as in lesson 07. *smallest becomes the shortest time. It
// holds the bits of a double: doubles that are not negative have the same order as their bits read
// as integers, and CUDA has atomicMin for integers only.
__global__ void shortest(int nx, int ny, double dx, double dy, const double *density,
                         const double *viscosity, const double *sound_speed, const double *xvel,
                         const double *yvel, unsigned long long *smallest) {
  // TODO 1: the contribution of a thread without a cell
  double time = 0;
  // TODO end

  for (int i = blockIdx.x * block + threadIdx.x; i < nx * ny; i += gridDim.x * block) {
    // TODO 2: the i-th inner cell, and its lower left node, in their arrays
    const int cell = 0, node = 0;
    // TODO end

    const int above = node + nx + 5;
    const double left = (xvel[node] + xvel[above]) / 2;
    const double right = (xvel[node + 1] + xvel[above + 1]) / 2;
    const double bottom = (yvel[node] + yvel[node + 1]) / 2;
    const double top = (yvel[above] + yvel[above + 1]) / 2;
    const double speed =
        sqrt(sound_speed[cell] * sound_speed[cell] + 2 * viscosity[cell] / density[cell]);
    time = fmin(time, 0.7 * fmin(dx, dy) / speed);
    time = fmin(time, 0.5 * time_to_cross(dx, left, right));
    time = fmin(time, 0.5 * time_to_cross(dy, bottom, top));

    // TODO 3: the divergence, and its limit if the cell is compressed
    // TODO end
  }

  // TODO 4: the minimum over all threads of all blocks, as in lesson 07
  // TODO end
}

double time_step(int nx, int ny, double dx, double dy, const double *density,
                 const double *viscosity, const double *sound_speed, const double *xvel,
                 const double *yvel) {
  const size_t cells = cells_of(nx, ny), nodes = nodes_of(nx, ny);
  const Field d_density(density, cells), d_viscosity(viscosity, cells);
  const Field d_sound_speed(sound_speed, cells);
  const Field d_xvel(xvel, nodes), d_yvel(yvel, nodes);

  // TODO 5: the value of *smallest before the launch
  double result = 0;
  // TODO end
  unsigned long long *d_smallest = nullptr;
  CUDA_CHECK(cudaMalloc(&d_smallest, sizeof *d_smallest));
  CUDA_CHECK(cudaMemcpy(d_smallest, &result, sizeof result, cudaMemcpyHostToDevice));
  const int blocks = min((nx * ny + block - 1) / block, 8 * course::multiprocessors());
  shortest<<<blocks, block>>>(nx, ny, dx, dy, d_density.data(), d_viscosity.data(),
                              d_sound_speed.data(), d_xvel.data(), d_yvel.data(), d_smallest);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(&result, d_smallest, sizeof result, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_smallest));
  return result;
}

// The limit of every cell, if only the velocities in x differ: 0.7 * dx over the difference between
// the two edges of the cell, if they approach each other.
static std::vector<float> limits_of(int nx, int ny, double dx, const std::vector<double> &xvel) {
  std::vector<float> limits;
  for (int row = 2; row < ny + 2; ++row)
    for (int col = 2; col < nx + 2; ++col) {
      const double left = xvel[row * (nx + 5) + col], right = xvel[row * (nx + 5) + col + 1];
      limits.push_back(right < left ? 0.7 * dx / (left - right) : 1e30);
    }
  return limits;
}

// The smallest limit by your coldest from lesson 07: the minimum of every 32, until one is left.
static float coldest_of_all(std::vector<float> limits) {
  while (limits.size() > 1) {
    std::vector<float> coldest_of((limits.size() + 31) / 32);
    coldest(int(limits.size()), limits.data(), coldest_of.data());
    limits = coldest_of;
  }
  return limits[0];
}

// weak: a program that links this file may have its own main.
__attribute__((weak)) int main() {
  course::print_device();
  // Cold gas at rest in y. Its velocities in x compress every cell at a different rate, so the
  // divergence alone limits the step.
  const int nx = 301, ny = 47;
  const double dx = 0.1, dy = 0.3;
  const std::vector<double> density(cells_of(nx, ny), 1), none(cells_of(nx, ny));
  std::vector<double> xvel(nodes_of(nx, ny)), yvel(nodes_of(nx, ny));
  for (size_t i = 0; i < xvel.size(); ++i) {
    const int col = i % (nx + 5);
    xvel[i] = col == 0 ? 0 : (col % 2 == 0 ? 1 : -1) * (0.2 + 0.001 * (col * 37 % 101));
  }
  const std::vector<float> limits = limits_of(nx, ny, dx, xvel);
  const double shortest_limit = *std::min_element(limits.begin(), limits.end());
  const double found =
      time_step(nx, ny, dx, dy, density.data(), none.data(), none.data(), xvel.data(), yvel.data());
  if (found == 0) {
    std::puts("no step yet: fill in TODO 1 to TODO 5");
    return 1;
  }
  std::printf("the longest step that all %zu cells allow: %.10g s\n", limits.size(), found);
  if (!course::within(coldest_of_all(limits), shortest_limit, 0))
    std::puts("your coldest from lesson 07 is not correct yet: ./course check reduction/coldest");
  return course::verdict(course::verify_value("time step", found, shortest_limit, 1e-6));
}
