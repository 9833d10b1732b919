// Specification of exercise 15-jacobi-mpi/bar.
#pragma once

// Takes `steps` Jacobi steps along a bar. Its cells are divided among the ranks of MPI_COMM_WORLD,
// at most 11, in the order of the ranks. In each step, every cell becomes the mean of the values
// that its two neighbours had before. Called by every rank with its own cells.
//
//   n            cells of this rank, 1 to 100 000; the ranks may have different numbers of cells
//   steps        1 to 100, the same on every rank
//   left, right  the fixed values before the first cell of the bar and after its last cell, the
//                same on every rank; they and the cells are 0 or from 1e-30 to 1e30 in absolute
//                value
//   cells        host memory, n numbers, input and output
//
// Returns, on every rank, the largest change of any cell of the whole bar in the last step.
// The additions may be in any order: the rounding errors of doubles do not matter.
double bar(int n, int steps, double left, double right, double *cells);
