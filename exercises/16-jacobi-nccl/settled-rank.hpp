// Specification of exercise 16-jacobi-nccl/settled-rank.
#pragma once

// Takes Jacobi steps on all GPUs of the machine, as in-one-group does, until the residual of the
// whole mesh is small enough: the square root of the sum of all cells' squared changes in a step.
// A cell becomes a quarter of the sum of its neighbours, which is computed in float.
//
//   nx         cells of a row, at least 3
//   ny         rows, at least 1
//   tolerance  at least 0; the step whose residual is at most this is the last one
//   max_steps  at least 1; after so many steps it ends in any case
//   mesh       host memory, ny * nx finite numbers, row after row, input and output
//
// Returns how many steps it took.
int settled_rank(int nx, int ny, double tolerance, int max_steps, float *mesh);
