// Specification of exercise 15-jacobi-mpi/everyone-sends-first.
#pragma once

// Hands each rank's list on, `times` times, from every rank to the next one in the ring of the
// ranks of MPI_COMM_WORLD: the last rank's list goes to rank 0. Called by every rank.
//
//   n      numbers of a list, at least 1, the same on every rank
//   times  1 to 1 million, the same on every rank
//   list   host memory, n numbers, input and output: first this rank's list, then the one that has
//          come to it
//
// Returns, on every rank, the sum of all numbers of all lists.
double everyone_sends_first(int n, int times, double *list);
