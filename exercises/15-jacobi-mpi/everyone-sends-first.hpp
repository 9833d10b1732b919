// Specification of exercise 15-jacobi-mpi/everyone-sends-first.
#pragma once

// Moves arrays around the ring of all ranks of MPI_COMM_WORLD, at most 11, `times` times: every
// rank sends its array to the next rank, the last rank to rank 0. Called by every rank.
//
//   n      numbers per array, 1 to 1 050 000, the same on every rank
//   times  1 to 1000, the same on every rank
//   list   host memory, n numbers from -1e6 to 1e6, input and output: first this rank's array,
//          then the array that has arrived here
//
// Returns, on every rank, the sum of all numbers of all arrays.
double everyone_sends_first(int n, int times, double *list);
