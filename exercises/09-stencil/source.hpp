// Specification of exercise 09-stencil/source.
#pragma once

struct Solve {
  int steps;     // how many were done
  double change; // the last one's residual: the root of the sum of all cells' squared changes
};

// Jacobi steps on a plate with a heat source, until one changes it by at most `tolerance`, or
// `max_steps` are done. A step gives each inner cell (left + right + above + below + heat) / 4, all
// from the field before the step; the cells of the edge keep their value.
//
//   u          host memory, ny rows of nx temperatures, input and output; the edge is its rim;
//              all finite, and no step overflows
//   heat       host memory, ny rows of nx: what a step adds to a cell, times 4; finite; only read
//   nx, ny     cells of a row, and rows, 3 to 2000 each
//   max_steps  at least 1
//   tolerance  at least 0; the changes are those of the floats, added up in double
Solve source(float *u, const float *heat, int nx, int ny, int max_steps, double tolerance);
