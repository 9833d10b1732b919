// Specification of exercise 06-integration2d/plate-heat.
#pragma once

// Computes the heat of a plate with ny rows of nx cells, and its profile: the heat of each row.
//
//   nx, ny         cells in a row, rows; each 1 to 100 000, nx * ny at most 17 000 000
//   width, height  of the plate, 0.001 to 1000 metres each: a cell is width / nx by height / ny
//   temperature    host memory, ny rows of nx numbers, row by row, in kelvin, input: 1e-16 to
//                  1e21, infinite or NaN
//   profile        host memory, ny numbers, output: the sum of each row's temperatures, times
//                  the width of a cell, in kelvin metres
//   block          threads per block, in x: 1 to 1024, not always a power of two
//
// Returns the sum of the profile times the height of a cell, in kelvin square metres: the integral
// of the temperature over the plate. All sums are of doubles.
double plate_heat(int nx, int ny, double width, double height, const float *temperature,
                  double *profile, int block);
