// Specification of exercise 15-jacobi-mpi/last-row.
#pragma once

// Takes `steps` Jacobi steps on a mesh, and counts the cells that differ from `expected`. The rows
// are divided among the ranks of MPI_COMM_WORLD, in the order of the ranks. They are periodic: the
// first row of rank 0 follows the last row of the last rank. The first and the last column are
// fixed. Called by every rank.
//
//   nx        cells per row, at least 3, the same on every rank
//   ny        rows of this rank, at least 1; the ranks may have different numbers of rows
//   steps     at least 1, the same on every rank
//   expected  host memory, ny * nx numbers, row after row: the right result
//   mesh      host memory, ny * nx numbers, input and output
//
// Returns, on every rank, the number of cells of all ranks that differ from `expected`, even if
// only in the last bit.
long long last_row(int nx, int ny, int steps, const float *expected, float *mesh);
