// Specification of exercise 15-jacobi-mpi/halo.
#pragma once

// Fills the halo of this rank's part of a field. Called by every rank of MPI_COMM_WORLD, at
// most 11. The parts lie below each other, in the order of the ranks.
//
//   nx     cells per row, 1 to 50 000, the same on every rank
//   ny     rows of this rank, 1 to 50 000; the ranks may have different numbers of rows. A field
//          has at most 1 100 000 numbers.
//   field  host memory, (ny + 2) * nx numbers, row after row, input and output: row 0 is the upper
//          halo row, rows 1 to ny are this rank's rows, row ny + 1 is the lower halo row
//
// After the call, the upper halo row is a copy of the last row of the previous rank, and the lower
// halo row is a copy of the first row of the next rank. The field is insulated at its upper and its
// lower edge: the first rank's upper halo row is a copy of its own first row, and the last rank's
// lower halo row is a copy of its own last row. This rank's rows do not change.
// MPI gets host memory only: not every MPI accepts device pointers.
void halo(int nx, int ny, float *field);
