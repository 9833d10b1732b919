// Specification of exercise 15-jacobi-mpi/my-rows.
#pragma once

struct Rows {
  int first, count; // rows first to first + count - 1
};

// The rows of this rank, of a mesh of ny rows. Called by every rank of MPI_COMM_WORLD.
//
//   ny  rows of the mesh, at least the number of ranks, up to 2^31 - 1, the same on every rank
//
// The rows of rank r of N begin at row ny * r / N, rounded down, and end before the first row of
// rank r + 1.
Rows my_rows(int ny);
