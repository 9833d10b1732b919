// The physics: first the equations for one cell, node or face, then the plain kernels of a step,
// which load what the equations need. The sums are written so that mirror images, left and right or
// bottom and top, give the same bits.
#pragma once

#include "lessons/17-cloverleaf/mesh.hpp"

#include <cmath>
#include <cstddef>

constexpr double heat_ratio = 1.4; // of the ideal gas
constexpr double tiny = 1e-16;     // instead of 0 in a divisor
constexpr double unlimited = 1e21; // a time step without a limit

// The values of a field at the four corners of a cell, or around a node.
struct Corners {
  double lower_left, lower_right, upper_left, upper_right;

  __device__ double left() const { return lower_left + upper_left; }
  __device__ double right() const { return lower_right + upper_right; }
  __device__ double bottom() const { return lower_left + lower_right; }
  __device__ double top() const { return upper_left + upper_right; }
  // Diagonals first: the same bits in all mirror images, also if x and y are exchanged.
  __device__ double sum() const { return (lower_left + upper_right) + (lower_right + upper_left); }
};
inline __device__ Corners operator+(const Corners &a, const Corners &b) {
  return {a.lower_left + b.lower_left, a.lower_right + b.lower_right, a.upper_left + b.upper_left,
          a.upper_right + b.upper_right};
}
// Element i of a field, the next one, and the two above them.
inline __device__ Corners corners(const double *field, std::ptrdiff_t i, std::ptrdiff_t pitch) {
  return {field[i], field[i + 1], field[i + pitch], field[i + pitch + 1]};
}

inline __device__ double pressure_of(double density, double energy) {
  return (heat_ratio - 1) * density * energy;
}
inline __device__ double sound_speed_of(double density, double pressure) {
  return sqrt(heat_ratio * pressure / density);
}

// The artificial viscosity of a cell: a pressure that spreads a shock over some cells, and 0 if the
// gas expands. u, v: velocities at the cell's corners. The pressures belong to its neighbours.
inline __device__ double viscosity_of(const Grid &grid, double density, const Corners &u,
                                      const Corners &v, double left, double right, double bottom,
                                      double top) {
  const double du = u.right() - u.left(), dv = v.top() - v.bottom();
  const double strain =
      0.5 * ((u.top() - u.bottom()) * grid.per_dy + (v.right() - v.left()) * grid.per_dx);
  const double gradient_x = 0.5 * (right - left) * grid.per_dx;
  const double gradient_y = 0.5 * (top - bottom) * grid.per_dy;
  const double xx = gradient_x * gradient_x, yy = gradient_y * gradient_y;
  const double limiter = (0.5 * du * grid.per_dx * xx + 0.5 * dv * grid.per_dy * yy +
                          strain * (gradient_x * gradient_y)) /
                         fmax(xx + yy, tiny);
  if (limiter > 0 || grid.dx * du + grid.dy * dv >= 0)
    return 0;
  const double x = fmax(fabs(gradient_x), tiny), y = fmax(fabs(gradient_y), tiny);
  const double length = sqrt(x * x + y * y) * fmin(grid.dx / x, grid.dy / y); // across the shock
  return 2 * density * (length * length) * (limiter * limiter);
}

// The longest time step that a cell allows: neither sound nor gas may cross it, and it may not
// shrink to nothing. A NaN gives 0, because fmin would ignore it.
inline __device__ double time_step_of(const Grid &grid, double density, double sound_speed,
                                      double viscosity, const Corners &u, const Corners &v) {
  const double speed = sqrt(sound_speed * sound_speed + 2 * viscosity / density);
  const double sound = 0.7 * fmin(grid.dx, grid.dy) / fmax(speed, tiny);
  // Twice the volumes that flow through the faces per unit of time.
  const double left = u.left() * grid.dy, right = u.right() * grid.dy;
  const double bottom = v.bottom() * grid.dx, top = v.top() * grid.dx;
  const double least = tiny * grid.volume;
  const double flow_x = grid.volume / fmax(fmax(fabs(left), fabs(right)), least);
  const double flow_y = grid.volume / fmax(fmax(fabs(bottom), fabs(top)), least);
  const double divergence = ((right - left) + (top - bottom)) / (2 * grid.volume);
  const double shrink = divergence < -tiny ? -0.7 / divergence : unlimited;
  const bool is_number = speed + left + right + bottom + top < INFINITY; // false for NaN
  return is_number ? fmin(fmin(sound, shrink), fmin(flow_x, flow_y)) : 0;
}

// The volume that flows through a face of this length in a time step. a, b: at its two ends the sum
// of the velocities before and after the step.
inline __device__ double face_flux(double length, double dt, double a, double b) {
  return 0.25 * dt * length * (a + b);
}

// A Lagrangian cell after a step: its volume changes, and the stress (pressure and viscosity) does
// work.
struct Gas {
  double density, energy;
};
inline __device__ Gas compress(const Grid &grid, double dt, double density, double energy,
                               double stress, const Corners &u, const Corners &v) {
  const double left = face_flux(grid.dy, dt, u.lower_left, u.upper_left);
  const double right = face_flux(grid.dy, dt, u.lower_right, u.upper_right);
  const double bottom = face_flux(grid.dx, dt, v.lower_left, v.lower_right);
  const double top = face_flux(grid.dx, dt, v.upper_left, v.upper_right);
  const double growth = (right - left) + (top - bottom);
  return {density * (grid.volume / (grid.volume + growth)),
          energy - stress * growth / (density * grid.volume)};
}

// The change of a node's velocity in a step, from the four cells around it.
struct Velocity {
  double x, y;
};
inline __device__ Velocity accelerate_by(const Grid &grid, double dt, const Corners &density,
                                         const Corners &stress) {
  const double per_mass = 0.5 * dt / (0.25 * density.sum() * grid.volume);
  return {-per_mass * (grid.dy * (stress.right() - stress.left())),
          -per_mass * (grid.dx * (stress.top() - stress.bottom()))};
}

// The limited third-order slope of van Leer: half the difference between the donor's value and the
// value at its downwind face. sigma: the part of the donor that flows out.
// [slope]
inline __device__ double slope(double upwind, double downwind, double sigma) {
  if (!(upwind * downwind > 0)) // an extremum
    return 0;
  const double u = fabs(upwind), d = fabs(downwind);
  const double smooth = ((1 + sigma) * u + (2 - sigma) * d) * (1.0 / 6);
  return copysign(fmin(fmin(u, d), smooth), downwind);
}
// [end]

// The value at the donor's downwind face. `share`: also a part that flows out, by mass or volume.
inline __device__ double at_face(double upwind, double donor, double downwind, double sigma,
                                 double share) {
  return donor + (1 - share) * slope(donor - upwind, downwind - donor, sigma);
}

// A sweep of the advection goes along one axis. Only the strides differ between x and y.
struct Sweep {
  bool along_x, is_first;
  std::ptrdiff_t along, across; // from an element to the next one

  __host__ __device__ Sweep(const Grid &grid, bool along_x, bool is_first)
      : along_x(along_x), is_first(is_first), along(along_x ? 1 : grid.pitch),
        across(along_x ? grid.pitch : 1) {}
};

// The volume of a cell before and after a sweep. The Lagrangian step has moved all faces. The first
// sweep moves the faces across its axis back, the second sweep the others.
struct Volumes {
  double before, after;
};
inline __device__ double growth(const double *vol_flux, std::ptrdiff_t i, std::ptrdiff_t stride) {
  return vol_flux[i + stride] - vol_flux[i];
}
inline __device__ double volume_after(const Grid &grid, const Sweep &sweep,
                                      const double *flux_across, std::ptrdiff_t i) {
  return sweep.is_first ? grid.volume + growth(flux_across, i, sweep.across) : grid.volume;
}
inline __device__ Volumes volumes_of(const Grid &grid, const Sweep &sweep, const double *flux_along,
                                     const double *flux_across, std::ptrdiff_t i) {
  const double after = volume_after(grid, sweep, flux_across, i);
  return {after + growth(flux_along, i, sweep.along), after};
}

// The mass and the energy that flow through a face, from three cells in the direction of the flow.
// They come from the donor, which has this volume.
struct Fluxes {
  double mass, energy;
};
struct InFlow {
  double upwind, donor, downwind;
};
inline __device__ Fluxes fluxes_of(double vol_flux, double volume, const InFlow &density,
                                   const InFlow &energy) {
  const double sigma = fabs(vol_flux) / volume;
  const double mass =
      vol_flux * at_face(density.upwind, density.donor, density.downwind, sigma, sigma);
  const double share = fabs(mass) / (density.donor * volume);
  return {mass, mass * at_face(energy.upwind, energy.donor, energy.downwind, sigma, share)};
}

// A cell after a sweep, with the flow in through its first face and out through its second one.
inline __device__ Gas advected(double density, double energy, const Volumes &volume,
                               const Fluxes &in, const Fluxes &out) {
  const double before = density * volume.before, mass = before + (in.mass - out.mass);
  return {mass / volume.after, (energy * before + (in.energy - out.energy)) / mass};
}

// A node has a cell of its own around it, with a quarter of each of the four cells there. From node
// i to the next one flows the mean of the mass that flows through the four faces around.
struct Node {
  double flux, mass_before, mass_after;
};
inline __device__ double node_flux_of(const Sweep &sweep, const double *mass_flux,
                                      std::ptrdiff_t i) {
  const std::ptrdiff_t next = i + sweep.along;
  return 0.25 * ((mass_flux[i - sweep.across] + mass_flux[next]) +
                 (mass_flux[i] + mass_flux[next - sweep.across]));
}
inline __device__ Node node_of(const Grid &grid, const Sweep &sweep, const double *density,
                               const double *flux_across, const double *mass_flux,
                               std::ptrdiff_t i) {
  const auto mass = [&](std::ptrdiff_t cell) {
    return density[cell] * volume_after(grid, sweep, flux_across, cell);
  };
  const std::ptrdiff_t below = i - grid.pitch;
  const double after = 0.25 * Corners{mass(below - 1), mass(below), mass(i - 1), mass(i)}.sum();
  const double flux = node_flux_of(sweep, mass_flux, i);
  return {flux, after + (flux - node_flux_of(sweep, mass_flux, i - sweep.along)), after};
}

// The kernels of a step, in their order. One thread per cell, face or node.

// [ideal-gas]
static __global__ void ideal_gas(Grid grid, const double *density, const double *energy,
                                 double *pressure, double *sound_speed) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= grid.nx || y >= grid.ny)
    return;
  const std::ptrdiff_t i = grid.at(x, y);
  const double p = pressure_of(density[i], energy[i]);
  pressure[i] = p;
  sound_speed[i] = sound_speed_of(density[i], p);
}
// [end]

// Needs the pressure of the nearest ghost cells.
static __global__ void viscosity(Grid grid, const double *density, const double *pressure,
                                 const double *xvel, const double *yvel, double *viscosity) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= grid.nx || y >= grid.ny)
    return;
  const std::ptrdiff_t i = grid.at(x, y);
  viscosity[i] = viscosity_of(grid, density[i], corners(xvel, i, grid.pitch),
                              corners(yvel, i, grid.pitch), pressure[i - 1], pressure[i + 1],
                              pressure[i - grid.pitch], pressure[i + grid.pitch]);
}

// The minimum over the threads of all blocks. Doubles that are not negative have the same order as
// their bits, and CUDA has atomicMin for integers only.
inline __device__ void minimum_of_block(double value, unsigned long long *least) {
  __shared__ double of_warps[32];
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  const int warps = blockDim.x * blockDim.y / 32;
  for (int away = 16; away > 0; away /= 2)
    value = fmin(value, __shfl_down_sync(0xFFFFFFFFu, value, away));
  if (thread % 32 == 0)
    of_warps[thread / 32] = value;
  __syncthreads();
  if (thread > 0)
    return;
  for (int warp = 1; warp < warps; ++warp)
    value = fmin(value, of_warps[warp]);
  atomicMin(least, (unsigned long long)__double_as_longlong(value));
}

// Each thread takes many cells of a column, so there are few atomics.
static __global__ void time_step(Grid grid, const double *density, const double *sound_speed,
                                 const double *viscosity, const double *xvel, const double *yvel,
                                 unsigned long long *least) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  double dt = unlimited;
  if (x < grid.nx)
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < grid.ny; y += gridDim.y * blockDim.y) {
      const std::ptrdiff_t i = grid.at(x, y);
      dt = fmin(dt, time_step_of(grid, density[i], sound_speed[i], viscosity[i],
                                 corners(xvel, i, grid.pitch), corners(yvel, i, grid.pitch)));
    }
  minimum_of_block(dt, least);
}

// The predictor computes half a step, dt = half of it, with the velocity at the step's start: xvel1
// is xvel0. The corrector computes the whole step with the mean of that velocity and the new one.
static __global__ void pdv(Grid grid, double dt, const double *density0, const double *energy0,
                           const double *pressure, const double *viscosity, const double *xvel0,
                           const double *xvel1, const double *yvel0, const double *yvel1,
                           double *density1, double *energy1) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= grid.nx || y >= grid.ny)
    return;
  const std::ptrdiff_t i = grid.at(x, y);
  const Corners u = corners(xvel0, i, grid.pitch) + corners(xvel1, i, grid.pitch);
  const Corners v = corners(yvel0, i, grid.pitch) + corners(yvel1, i, grid.pitch);
  const Gas after = compress(grid, dt, density0[i], energy0[i], pressure[i] + viscosity[i], u, v);
  density1[i] = after.density;
  energy1[i] = after.energy;
}

// Needs density, pressure and viscosity of the nearest ghost cells.
static __global__ void accelerate(Grid grid, double dt, const double *density,
                                  const double *pressure, const double *viscosity,
                                  const double *xvel0, const double *yvel0, double *xvel1,
                                  double *yvel1) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > grid.nx || y > grid.ny)
    return;
  const std::ptrdiff_t i = grid.at(x, y), lower_left = i - grid.pitch - 1;
  const Velocity change = accelerate_by(grid, dt, corners(density, lower_left, grid.pitch),
                                        corners(pressure, lower_left, grid.pitch) +
                                            corners(viscosity, lower_left, grid.pitch));
  xvel1[i] = xvel0[i] + change.x;
  yvel1[i] = yvel0[i] + change.y;
}

// The volume that each moving face passes over.
static __global__ void flux(Grid grid, double dt, const double *xvel0, const double *xvel1,
                            const double *yvel0, const double *yvel1, double *vol_flux_x,
                            double *vol_flux_y) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > grid.nx || y > grid.ny)
    return;
  const std::ptrdiff_t i = grid.at(x, y), above = i + grid.pitch;
  if (y < grid.ny)
    vol_flux_x[i] = face_flux(grid.dy, dt, xvel0[i] + xvel1[i], xvel0[above] + xvel1[above]);
  if (x < grid.nx)
    vol_flux_y[i] = face_flux(grid.dx, dt, yvel0[i] + yvel1[i], yvel0[i + 1] + yvel1[i + 1]);
}

// Needs two layers of ghosts.
static __global__ void cell_fluxes(Grid grid, Sweep sweep, const double *density,
                                   const double *energy, const double *flux_along,
                                   const double *flux_across, double *mass_flux,
                                   double *energy_flux) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= grid.nx + sweep.along_x || y >= grid.ny + !sweep.along_x)
    return;
  const std::ptrdiff_t i = grid.at(x, y);
  const std::ptrdiff_t step = flux_along[i] > 0 ? sweep.along : -sweep.along;
  const std::ptrdiff_t donor = flux_along[i] > 0 ? i - sweep.along : i;
  const Fluxes fluxes =
      fluxes_of(flux_along[i], volumes_of(grid, sweep, flux_along, flux_across, donor).before,
                {density[donor - step], density[donor], density[donor + step]},
                {energy[donor - step], energy[donor], energy[donor + step]});
  mass_flux[i] = fluxes.mass;
  energy_flux[i] = fluxes.energy;
}

static __global__ void advect_cells(Grid grid, Sweep sweep, const double *flux_along,
                                    const double *flux_across, const double *mass_flux,
                                    const double *energy_flux, double *density, double *energy) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= grid.nx || y >= grid.ny)
    return;
  const std::ptrdiff_t i = grid.at(x, y), next = i + sweep.along;
  const Volumes volume = volumes_of(grid, sweep, flux_along, flux_across, i);
  const double mass_before = density[i] * volume.before;
  const double mass = mass_before + (mass_flux[i] - mass_flux[next]);
  energy[i] = (energy[i] * mass_before + (energy_flux[i] - energy_flux[next])) / mass;
  density[i] = mass / volume.after;
}

// One more node at each end along the axis.
static __global__ void node_masses(Grid grid, Sweep sweep, const double *density,
                                   const double *flux_across, const double *mass_flux,
                                   double *node_flux, double *mass_before, double *mass_after) {
  const int x = int(blockIdx.x * blockDim.x + threadIdx.x) - sweep.along_x;
  const int y = int(blockIdx.y * blockDim.y + threadIdx.y) - !sweep.along_x;
  if (x > grid.nx + sweep.along_x || y > grid.ny + !sweep.along_x)
    return;
  const std::ptrdiff_t i = grid.at(x, y);
  const Node node = node_of(grid, sweep, density, flux_across, mass_flux, i);
  node_flux[i] = node.flux;
  mass_before[i] = node.mass_before;
  mass_after[i] = node.mass_after;
}

// One component of the momentum, from node i to the next one. One more node before the first.
static __global__ void momentum_flux(Grid grid, Sweep sweep, const double *node_flux,
                                     const double *mass_before, const double *velocity,
                                     double *momentum_flux) {
  const int x = int(blockIdx.x * blockDim.x + threadIdx.x) - sweep.along_x;
  const int y = int(blockIdx.y * blockDim.y + threadIdx.y) - !sweep.along_x;
  if (x > grid.nx || y > grid.ny)
    return;
  const std::ptrdiff_t i = grid.at(x, y);
  const double flux = node_flux[i];
  const std::ptrdiff_t donor = flux < 0 ? i + sweep.along : i;
  const std::ptrdiff_t step = flux < 0 ? -sweep.along : sweep.along;
  const double sigma = fabs(flux) / mass_before[donor];
  momentum_flux[i] =
      flux * at_face(velocity[donor - step], velocity[donor], velocity[donor + step], sigma, sigma);
}

static __global__ void advect_momentum(Grid grid, Sweep sweep, const double *momentum_flux,
                                       const double *mass_before, const double *mass_after,
                                       double *velocity) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > grid.nx || y > grid.ny)
    return;
  const std::ptrdiff_t i = grid.at(x, y);
  velocity[i] =
      (velocity[i] * mass_before[i] + (momentum_flux[i - sweep.along] - momentum_flux[i])) /
      mass_after[i];
}
