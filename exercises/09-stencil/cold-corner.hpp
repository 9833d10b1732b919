// Specification of exercise 09-stencil/cold-corner.
#pragma once

struct Solve {
  int steps;     // how many were done
  double change; // the last one's residual: the root of the sum of all cells' squared changes
};

// Jacobi steps, until one changes the plate by at most `tolerance`, or `max_steps` are done. A
// step gives each inner cell the mean of its four neighbours before the step; the edge keeps its
// values.
//
//   u          host memory, ny rows of nx temperatures, input and output; the edge is its rim;
//              all finite, and no step overflows
//   nx, ny     cells of a row, and rows, 3 to 2000 each
//   max_steps  at least 1
//   tolerance  at least 0; the changes are those of the floats, added up in double
Solve cold_corner(float *u, int nx, int ny, int max_steps, double tolerance);
