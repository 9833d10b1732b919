// Specification of exercise 09-stencil/source.
#pragma once

struct Solve {
  int steps;     // number of steps that were done
  double change; // residual of the last step: the square root of the sum of all squared changes
};

// Jacobi steps on a plate with a heat source, until the residual of a step is at most `tolerance`,
// or `max_steps` steps are done. A step sets each inner cell to
// (left + right + above + below + heat) / 4, all from the field before the step. The cells of the
// edge keep their values.
//
//   u          host memory, ny rows of nx temperatures, input and output. All are finite, and no
//              step overflows. The edge is the first and the last row and column.
//   heat       host memory, ny rows of nx numbers, input: 4 times the temperature that a step adds
//              to a cell. All are finite.
//   nx, ny     cells per row, and rows, 3 to 2000 each
//   max_steps  1 to 20 000
//   tolerance  at least 0, finite. The changes of the floats are added up in double;
//              either the residual or its square may be compared.
Solve source(float *u, const float *heat, int nx, int ny, int max_steps, double tolerance);
