// What the reference for exercise 17-cloverleaf/capstone does with momentum.
#pragma once

#include "tests/17-cloverleaf/mirrored.hpp"

#include <algorithm>
#include <cmath>

namespace course {

// What the donor gives besides its mean: `share` of it goes.
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

} // namespace course
