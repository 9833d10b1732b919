// The equations of CloverLeaf for one cell, node or face; the kernels load what these need. Sums
// are written so that a mirror image, left and right or bottom and top, gives the same bits.
#pragma once

#include "lessons/17-cloverleaf/chunk.hpp"

constexpr double heat_ratio = 1.4; // of the ideal gas
constexpr double tiny = 1e-16;     // in place of 0, where something is divided by it
constexpr double unlimited = 1e21; // a time step that limits nothing

// A field at the four corners of a cell, or around a node.
struct Corners {
  double lower_left, lower_right, upper_left, upper_right;

  __device__ double left() const { return lower_left + upper_left; }
  __device__ double right() const { return lower_right + upper_right; }
  __device__ double bottom() const { return lower_left + lower_right; }
  __device__ double top() const { return upper_left + upper_right; }
  // Diagonals first: this sum has the same bits in all mirror images, also if x and y are
  // exchanged.
  __device__ double sum() const { return (lower_left + upper_right) + (lower_right + upper_left); }
};

inline __device__ Corners operator+(const Corners &a, const Corners &b) {
  return {a.lower_left + b.lower_left, a.lower_right + b.lower_right, a.upper_left + b.upper_left,
          a.upper_right + b.upper_right};
}
inline __device__ Corners operator*(const Corners &a, const Corners &b) {
  return {a.lower_left * b.lower_left, a.lower_right * b.lower_right, a.upper_left * b.upper_left,
          a.upper_right * b.upper_right};
}

// Element i of a field, and those at its right, above, and above at its right.
inline __device__ Corners corners(const double *field, std::ptrdiff_t i, std::ptrdiff_t pitch) {
  return {field[i], field[i + 1], field[i + pitch], field[i + pitch + 1]};
}

inline __device__ double pressure_of(double density, double energy) {
  return (heat_ratio - 1) * density * energy;
}

inline __device__ double sound_speed_of(double density, double pressure) {
  return sqrt(heat_ratio * pressure / density);
}

// The artificial viscosity of a cell: a pressure that smears a shock over some cells. It is 0 where
// the gas expands. (u, v): the velocity at the cell's corners; the pressures are its neighbours'.
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
// shrink to nothing. 0 where a value is not a number, so that a minimum finds it.
inline __device__ double time_step_of(const Grid &grid, double density, double sound_speed,
                                      double viscosity, const Corners &u, const Corners &v) {
  const double speed = sqrt(sound_speed * sound_speed + 2 * viscosity / density);
  const double sound = 0.7 * fmin(grid.dx, grid.dy) / fmax(speed, tiny);
  // Twice the volumes that flow through the faces in a unit of time.
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

// The volume that flows through a face of this length in a time step. a and b: twice the velocity
// across it at its two ends, that before and that after the step added.
inline __device__ double face_flux(double length, double dt, double a, double b) {
  return 0.25 * dt * length * (a + b);
}

// What a Lagrangian cell does in a step: its volume changes, and the stress, which is pressure and
// viscosity, does work.
struct Compressed {
  double density, energy;
};
inline __device__ Compressed compress(const Grid &grid, double dt, double density, double energy,
                                      double stress, const Corners &u, const Corners &v) {
  const double left = face_flux(grid.dy, dt, u.lower_left, u.upper_left);
  const double right = face_flux(grid.dy, dt, u.lower_right, u.upper_right);
  const double bottom = face_flux(grid.dx, dt, v.lower_left, v.lower_right);
  const double top = face_flux(grid.dx, dt, v.upper_left, v.upper_right);
  const double growth = (right - left) + (top - bottom);
  return {density * (grid.volume / (grid.volume + growth)),
          energy - stress * growth / (density * grid.volume)};
}

// The change of a node's velocity in a step. density and stress: of the four cells around it.
struct Velocity {
  double x, y;
};
inline __device__ Velocity accelerate_by(const Grid &grid, double dt, const Corners &density,
                                         const Corners &stress) {
  const double per_mass = 0.5 * dt / (0.25 * density.sum() * grid.volume);
  return {-per_mass * (grid.dy * (stress.right() - stress.left())),
          -per_mass * (grid.dx * (stress.top() - stress.bottom()))};
}

// The limited third-order slope of van Leer: half the difference from the donor's value to that at
// its downwind face. upwind: the difference from the cell before to the donor; downwind: from the
// donor to the next one. sigma: the part of the donor that flows out.
// [slope]
inline __device__ double slope(double upwind, double downwind, double sigma) {
  if (!(upwind * downwind > 0)) // an extremum
    return 0;
  const double u = fabs(upwind), d = fabs(downwind);
  const double smooth = ((1 + sigma) * u + (2 - sigma) * d) * (1.0 / 6);
  return copysign(fmin(fmin(u, d), smooth), downwind);
}
// [end]

// A value at a face through which a part `sigma` of the donor flows; of three elements in the
// direction of the flow the donor is the second. `share`: also such a part, by mass or by volume.
inline __device__ double at_face(double upwind, double donor, double downwind, double sigma,
                                 double share) {
  return donor + (1 - share) * slope(donor - upwind, downwind - donor, sigma);
}
