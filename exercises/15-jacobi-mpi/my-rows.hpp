// Specification of exercise 15-jacobi-mpi/my-rows.
#pragma once

struct Rows {
  int first, count; // rows first to first + count - 1
};

// Which rows of a mesh of ny rows this rank has. Called by every rank of MPI_COMM_WORLD.
//
//   ny  rows of the mesh, at least as many as ranks and up to 2^31 - 1, the same on every rank
//
// Rank r of N begins at row ny * r / N, rounded down, and ends before the first row of rank r + 1.
Rows my_rows(int ny);
