// Specification of exercise 09-stencil/insulated.
#pragma once

// Steps on an insulated plate. A step sets every cell, including the cells of the edge, to
//   (4 * (left + right + above + below) + the four diagonal neighbours) / 20,
// all from the field before the step. A neighbour outside the plate is its mirror image, the
// nearest cell of the plate. So the sum over all cells does not change, except for rounding.
// The neighbours come from a tile in shared memory: a step does at most two loads from global
// memory per cell of the plate, rounded up to whole tiles of 32 x 8.
//
//   u       host memory, ny rows of nx temperatures, input and output
//   nx, ny  cells per row, and rows, 1 to 2000 each
//   steps   number of steps, at least 0
void insulated(float *u, int nx, int ny, int steps);
