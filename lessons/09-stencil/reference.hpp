// What the programs of lesson 09 are compared with: the same steps on the CPU, cell by cell.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

// A field of that many cells, all between 0 and 1. Neighbours have nothing in common: a smooth
// field would forgive a wrong neighbour.
inline std::vector<double> uneven_field(std::size_t cells) {
  std::vector<double> field(cells);
  for (std::size_t i = 0; i < cells; ++i)
    field[i] = ((2654435761u * unsigned(i)) >> 8) * 0x1p-24;
  return field;
}

// One Jacobi step: the inner cells of next, from now. Both have ny rows of nx cells, and a row
// begins `pitch` cells after the one above. Returns the residual: the root of the sum of the
// squares of all cells' changes.
inline double step_on_cpu(const std::vector<double> &now, std::vector<double> &next, int nx, int ny,
                          int pitch) {
  double squares = 0;
  for (int y = 1; y < ny - 1; ++y) {
    double row = 0; // a sum of its own: what is added to a large sum is rounded more
    for (int x = 1; x < nx - 1; ++x) {
      const int i = y * pitch + x;
      next[i] = 0.25 * (now[i - 1] + now[i + 1] + now[i - pitch] + now[i + pitch]);
      row += (next[i] - now[i]) * (next[i] - now[i]);
    }
    squares += row;
  }
  return std::sqrt(squares);
}
