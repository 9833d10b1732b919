// The reference for the lesson's program and for exercise 17-cloverleaf/capstone: all of the gas on
// the host, in one piece, with the equations in another form. It can also make a usual mistake.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace course {

// A field on a mesh with mirrors at its ends, which are looked through, not stored. edges: 1 along
// an axis where the values are on the edges between cells; turns: a mirrored value changes its
// sign.
class Mirrored {
public:
  Mirrored(int nx, int ny, int edges_x, int edges_y, bool turns_x = false, bool turns_y = false)
      : width(nx + edges_x), height(ny + edges_y), edges_x_(edges_x), edges_y_(edges_y),
        turns_x_(turns_x), turns_y_(turns_y), values_(std::size_t(width) * height) {}

  double operator()(int x, int y) const {
    if (beyond && (x < 0 || x >= width || y < 0 || y >= height))
      return beyond(x, y);
    const bool beyond_x = reflect(x, width, edges_x_), beyond_y = reflect(y, height, edges_y_);
    const double value = values_[std::size_t(y) * width + x];
    return (beyond_x && turns_x_) != (beyond_y && turns_y_) ? -value : value;
  }
  double &at(int x, int y) { return values_[std::size_t(y) * width + x]; } // not beyond a wall

  int width, height;
  std::function<double(int, int)> beyond; // if set, ghosts that are not what a mirror shows

private:
  static bool reflect(int &i, int count, int edges) {
    if (i >= 0 && i < count)
      return false;
    i = i < 0 ? edges - 1 - i : 2 * count - 1 - edges - i;
    return true;
  }
  int edges_x_, edges_y_;
  bool turns_x_, turns_y_;
  std::vector<double> values_;
};

// The difference between the donor's mean and its value at the face. `share`: the part that flows
// out.
inline double slope(double upwind, double donor, double downwind, double share) {
  const double a = std::abs(donor - upwind), b = std::abs(downwind - donor);
  if ((donor > upwind) != (downwind > donor))
    return 0;
  const double least = std::min({a, b, ((1 + share) * a + (2 - share) * b) / 6});
  return (1 - share) * (downwind > donor ? least : -least);
}

// One of i and j is 1: the direction. `density` and `volume` are those after the sweep.
inline void sweep_nodes(const Mirrored &density, const Mirrored &mass_flux, int i, int j,
                        const Mirrored &volume, Mirrored &velocity) {
  // From node (x, y) to the next.
  const auto flux = [&](int x, int y) {
    return (mass_flux(x, y) + mass_flux(x + i, y + j) + mass_flux(x - j, y - i) +
            mass_flux(x + i - j, y + j - i)) /
           4;
  };
  const auto after = [&](int x, int y) {
    double sum = 0;
    for (int a : {-1, 0})
      for (int b : {-1, 0})
        sum += density(x + a, y + b) * volume(x + a, y + b) / 4;
    return sum;
  };
  const auto before = [&](int x, int y) { return after(x, y) + flux(x, y) - flux(x - i, y - j); };
  const Mirrored old = velocity;
  const auto momentum = [&](int x, int y) { // from node (x, y) to the next
    const double gone = flux(x, y);
    const int way = gone > 0 ? 1 : -1, on = way > 0 ? 0 : 1;
    const auto node = [&](int steps) {
      return old(x + (on + steps * way) * i, y + (on + steps * way) * j);
    };
    const double share = std::abs(gone) / before(x + on * i, y + on * j);
    return gone * (node(0) + slope(node(-1), node(0), node(1), share));
  };
  for (int y = 0; y < velocity.height; ++y)
    for (int x = 0; x < velocity.width; ++x)
      velocity.at(x, y) =
          (old(x, y) * before(x, y) + momentum(x - i, y - j) - momentum(x, y)) / after(x, y);
}

// Usual mistakes in a step of exercise 17-cloverleaf/capstone.
enum StepMistake {
  RIGHT,
  ANY_LENGTH,
  TOO_LONG,
  WHOLE_PREDICTOR,
  OLD_PRESSURE,
  HALF_CORRECTOR,
  NEW_VELOCITIES,
  NO_SWEEPS,
  ALWAYS_X_FIRST,
  OTHER_ORDER,
  OLD_DENSITY,
  OLD_VELOCITIES
};

inline constexpr std::pair<StepMistake, const char *> step_mistakes[] = {
    {ANY_LENGTH, "TODO 2: the time step is max_timestep, also where the cells allow less"},
    {TOO_LONG, "TODO 2: the time step is what the cells allow, also where max_timestep is less"},
    {WHOLE_PREDICTOR, "TODO 3: the predictor goes to the end of the step, not to its middle"},
    {OLD_PRESSURE, "TODO 3: the nodes are moved by the pressure at the start of the step, not by "
                   "the pressure of the predictor's density1 and energy1"},
    {HALF_CORRECTOR, "TODO 4: the corrector goes to the middle of the step, not to its end"},
    {NEW_VELOCITIES, "TODO 4: the corrector takes the velocities after the step, not the mean "
                     "velocities"},
    {NO_SWEEPS, "TODO 5 is not filled in yet; the other results are correct"},
    {ALWAYS_X_FIRST, "TODO 5: the sweep in x comes first in every step, not in every other one"},
    {OTHER_ORDER, "TODO 5: the first step begins with the sweep in y, not in x"},
    {OLD_DENSITY, "TODO 5: sweep_cells changes density1; sweep_momentum reads its ghosts, which "
                  "are out of date"},
    {OLD_VELOCITIES, "TODO 5: the second sweep reads ghosts of the velocities, which the first "
                     "sweep has not updated"}};

struct Gas {
  Gas(int nx, int ny, double dx, double dy)
      : nx(nx), ny(ny), dx(dx), dy(dy), density(nx, ny, 0, 0), energy(nx, ny, 0, 0),
        xvel(nx, ny, 1, 1, true, false), yvel(nx, ny, 1, 1, false, true) {}

  int nx, ny;
  double dx, dy;
  Mirrored density, energy, xvel, yvel;
  StepMistake mistake = RIGHT;

  // Returns how long it is.
  double step(double max_timestep, bool x_first) {
    const Mirrored viscosity = find_viscosity();
    const double allowed = longest_step(viscosity, xvel, yvel);
    const double dt = mistake == ANY_LENGTH ? max_timestep
                      : mistake == TOO_LONG ? allowed
                                            : std::min(max_timestep, allowed);
    const auto old_density = density, old_energy = energy, old_xvel = xvel, old_yvel = yvel;
    const Mirrored first = pressure();
    compress(mistake == WHOLE_PREDICTOR ? dt : dt / 2, old_density, old_energy, first, viscosity,
             xvel, yvel);
    const Mirrored middle = mistake == OLD_PRESSURE ? first : pressure();
    for (int y = 0; y <= ny; ++y)
      for (int x = 0; x <= nx; ++x) {
        double mass = 0, push_x = 0, push_y = 0;
        for (int i : {-1, 0})
          for (int j : {-1, 0}) {
            const double force = middle(x + i, y + j) + viscosity(x + i, y + j);
            mass += old_density(x + i, y + j) * dx * dy / 4;
            push_x += (i < 0 ? force : -force) * dy / 2;
            push_y += (j < 0 ? force : -force) * dx / 2;
          }
        xvel.at(x, y) += push_x * dt / mass;
        yvel.at(x, y) += push_y * dt / mass;
      }
    Mirrored mean_xvel = xvel, mean_yvel = yvel;
    for (int y = 0; y <= ny; ++y)
      for (int x = 0; x <= nx; ++x) {
        mean_xvel.at(x, y) = (old_xvel(x, y) + xvel(x, y)) / 2;
        mean_yvel.at(x, y) = (old_yvel(x, y) + yvel(x, y)) / 2;
      }
    const bool all_new = mistake == NEW_VELOCITIES;
    compress(mistake == HALF_CORRECTOR ? dt / 2 : dt, old_density, old_energy, middle, viscosity,
             all_new ? xvel : mean_xvel, all_new ? yvel : mean_yvel);
    if (mistake != NO_SWEEPS)
      advect(dt, mean_xvel, mean_yvel, x_first);
    xvel.beyond = yvel.beyond = nullptr;
    return dt;
  }

  double kinetic_energy() const {
    double sum = 0;
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x)
        for (int i : {0, 1})
          for (int j : {0, 1})
            sum += density(x, y) * dx * dy / 8 *
                   (std::pow(xvel(x + i, y + j), 2) + std::pow(yvel(x + i, y + j), 2));
    return sum;
  }

private:
  Mirrored pressure() const {
    Mirrored field = density;
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x)
        field.at(x, y) = 0.4 * density(x, y) * energy(x, y);
    return field;
  }

  Mirrored find_viscosity() const {
    const Mirrored p = pressure();
    Mirrored viscosity = density;
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        // Derivatives of the velocities and of the pressure, at the cell's centre.
        const auto along_x = [&](const Mirrored &v) {
          return (v(x + 1, y) + v(x + 1, y + 1) - v(x, y) - v(x, y + 1)) / (2 * dx);
        };
        const auto along_y = [&](const Mirrored &v) {
          return (v(x, y + 1) + v(x + 1, y + 1) - v(x, y) - v(x + 1, y)) / (2 * dy);
        };
        const double px = (p(x + 1, y) - p(x - 1, y)) / (2 * dx);
        const double py = (p(x, y + 1) - p(x, y - 1)) / (2 * dy);
        const double ux = along_x(xvel), vy = along_y(yvel), shear = along_y(xvel) + along_x(yvel);
        const double rate =
            (ux * px * px + vy * py * py + shear * px * py) / std::max(px * px + py * py, 1e-16);
        viscosity.at(x, y) = 0;
        if (rate <= 0 && ux * dx * dx + vy * dy * dy < 0) {
          const double gx = std::max(std::abs(px), 1e-16), gy = std::max(std::abs(py), 1e-16);
          const double width = std::hypot(gx, gy) * std::min(dx / gx, dy / gy);
          viscosity.at(x, y) = 2 * density(x, y) * std::pow(width * rate, 2);
        }
      }
    return viscosity;
  }

  double longest_step(const Mirrored &viscosity, const Mirrored &u, const Mirrored &v) const {
    double dt = INFINITY;
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        const double squared = 1.4 * 0.4 * energy(x, y) + 2 * viscosity(x, y) / density(x, y);
        const double left = (u(x, y) + u(x, y + 1)) / 2;
        const double right = (u(x + 1, y) + u(x + 1, y + 1)) / 2;
        const double lower = (v(x, y) + v(x + 1, y)) / 2;
        const double upper = (v(x, y + 1) + v(x + 1, y + 1)) / 2;
        const double divergence = (right - left) / dx + (upper - lower) / dy;
        dt = std::min({dt, 0.7 * std::min(dx, dy) / std::sqrt(squared),
                       0.5 * dx / std::max(std::abs(left), std::abs(right)),
                       0.5 * dy / std::max(std::abs(lower), std::abs(upper))});
        if (divergence < 0)
          dt = std::min(dt, -0.7 / divergence);
      }
    return dt;
  }

  void compress(double time, const Mirrored &old_density, const Mirrored &old_energy,
                const Mirrored &pressure, const Mirrored &viscosity, const Mirrored &u,
                const Mirrored &v) {
    const double volume = dx * dy;
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        const double change = time / 2 *
                              (dy * (u(x + 1, y) + u(x + 1, y + 1) - u(x, y) - u(x, y + 1)) +
                               dx * (v(x, y + 1) + v(x + 1, y + 1) - v(x, y) - v(x + 1, y)));
        density.at(x, y) = old_density(x, y) * volume / (volume + change);
        energy.at(x, y) = old_energy(x, y) - (pressure(x, y) + viscosity(x, y)) * change /
                                                 (volume * old_density(x, y));
      }
  }

  void advect(double dt, const Mirrored &u, const Mirrored &v, bool x_first) {
    Mirrored flux_x(nx, ny, 1, 0, true, false), flux_y(nx, ny, 0, 1, false, true), volume = density;
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x <= nx; ++x)
        flux_x.at(x, y) = dt * dy * (u(x, y) + u(x, y + 1)) / 2;
    for (int y = 0; y <= ny; ++y)
      for (int x = 0; x < nx; ++x)
        flux_y.at(x, y) = dt * dx * (v(x, y) + v(x + 1, y)) / 2;
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x)
        volume.at(x, y) =
            dx * dy + flux_x(x + 1, y) - flux_x(x, y) + flux_y(x, y + 1) - flux_y(x, y);
    const bool first = mistake == ALWAYS_X_FIRST || (mistake == OTHER_ORDER ? !x_first : x_first);
    const auto xvel0 = xvel, yvel0 = yvel;
    sweep(first ? flux_x : flux_y, first, volume);
    if (mistake == OLD_VELOCITIES)
      xvel.beyond = xvel0, yvel.beyond = yvel0;
    sweep(first ? flux_y : flux_x, !first, volume);
  }

  void sweep(const Mirrored &flux, bool in_x, Mirrored &volume) {
    const int i = in_x ? 1 : 0, j = in_x ? 0 : 1;
    const Mirrored density_before = density;
    Mirrored mass_flux = flux, energy_flux = flux;
    for (int y = 0; y < flux.height; ++y)
      for (int x = 0; x < flux.width; ++x) {
        const int way = flux(x, y) > 0 ? 1 : -1, back = way > 0 ? 1 : 0; // the donor lies back
        const auto cell = [&](const Mirrored &field, int steps) {        // steps from the donor
          return field(x + (steps * way - back) * i, y + (steps * way - back) * j);
        };
        const double volume_share = std::abs(flux(x, y)) / cell(volume, 0);
        const double mass =
            flux(x, y) * (cell(density, 0) + slope(cell(density, -1), cell(density, 0),
                                                   cell(density, 1), volume_share));
        const double mass_share = std::abs(mass) / (cell(density, 0) * cell(volume, 0));
        // The weights of the limited slope are those of the volume, for the energy, too.
        const double full = slope(cell(energy, -1), cell(energy, 0), cell(energy, 1), volume_share);
        mass_flux.at(x, y) = mass;
        energy_flux.at(x, y) =
            mass * (cell(energy, 0) + full / (1 - volume_share) * (1 - mass_share));
      }
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        const double before = density(x, y) * volume(x, y);
        const double after = before + mass_flux(x, y) - mass_flux(x + i, y + j);
        energy.at(x, y) =
            (energy(x, y) * before + energy_flux(x, y) - energy_flux(x + i, y + j)) / after;
        volume.at(x, y) += flux(x, y) - flux(x + i, y + j);
        density.at(x, y) = after / volume(x, y);
      }
    if (mistake == OLD_DENSITY)
      density.beyond = density_before;
    sweep_nodes(density, mass_flux, i, j, volume, xvel);
    sweep_nodes(density, mass_flux, i, j, volume, yvel);
    density.beyond = nullptr;
  }
};

} // namespace course
