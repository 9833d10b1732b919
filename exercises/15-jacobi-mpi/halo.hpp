// Specification of exercise 15-jacobi-mpi/halo.
#pragma once

// Fills the halo of this rank's part of a field that lies on the device. Called by every rank of
// MPI_COMM_WORLD; the parts lie below each other in the order of the ranks.
//
//   nx     cells of a row, at least 1, the same on every rank
//   ny     rows of this rank, at least 1; the ranks may have different numbers of rows
//   field  host memory, (ny + 2) * nx numbers, row after row, input and output: row 0 is the halo
//          above, rows 1 to ny are the rank's own, row ny + 1 is the halo below
//
// After the call the halo above is a copy of the last own row of the previous rank, the halo below
// one of the first own row of the next rank. The field is insulated at its top and at its bottom,
// as if the same lay beyond: the first rank's halo above is a copy of its own first row, the last
// rank's halo below one of its own last row. The own rows stay as they are.
// MPI is given host memory: not every MPI takes device pointers.
void halo(int nx, int ny, float *field);
