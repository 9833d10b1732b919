// Specification of exercise 17-cloverleaf/ideal-gas.
#pragma once

// The equation of state of an ideal gas with gamma = 1.4, for each cell, ghost cells included:
//   pressure    = (gamma - 1) * density * energy
//   sound speed = the square root of gamma * pressure / density
//
//   nx, ny       inner cells per row, and inner rows, at least 1 each
//   density      host memory, (ny + 4) rows of nx + 4 cells, above 0, input
//   energy       the same: internal energy per mass, at least 0, input
//   pressure     as many cells, output
//   sound_speed  as many cells, output
void ideal_gas(int nx, int ny, const double *density, const double *energy, double *pressure,
               double *sound_speed);
