// Specification of exercise 09-stencil/insulated.
#pragma once

// Lets heat spread over an insulated plate. A step gives every cell, those of the edge too,
//   (4 * (left + right + above + below) + the four diagonal neighbours) / 20,
// all from the field before the step. A neighbour outside the plate is its mirror image, the
// nearest cell of the plate; so the sum over all cells stays as it is, but for rounding.
// Neighbours come from a tile in shared memory: for each cell of the plate, rounded up to whole
// tiles of 32 x 8, at most two loads from global memory in a step.
//
//   u       host memory, ny rows of nx temperatures, input and output
//   nx, ny  cells of a row, and rows, 1 to 2000 each
//   steps   how many, at least 0
void insulated(float *u, int nx, int ny, int steps);
