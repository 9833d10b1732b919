// Specification of exercise 15-jacobi-mpi/last-row.
#pragma once

// Takes `steps` Jacobi steps on a mesh whose rows are spread over the ranks of MPI_COMM_WORLD, in
// the order of the ranks, and counts the cells that are not as they should be. The mesh is
// periodic: after the last row of the last rank comes rank 0's first row. The first and the last
// column are fixed. Called by every rank.
//
//   nx        cells of a row, at least 3, the same on every rank
//   ny        rows of this rank, at least 1; the ranks may have different numbers of rows
//   steps     at least 1, the same on every rank
//   expected  host memory, ny * nx numbers, row after row: what the mesh should become
//   mesh      host memory, ny * nx numbers, input and output
//
// Returns, on every rank, how many cells of all ranks differ from `expected`, if only in the last
// bit.
long long last_row(int nx, int ny, int steps, const float *expected, float *mesh);
