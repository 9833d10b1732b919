// Specification of exercise 16-jacobi-nccl/settled-rank.
#pragma once

// Takes Jacobi steps on all GPUs of the machine, like in-one-group, until the residual of the whole
// mesh is small enough. The residual is the square root of the sum of the squares of all cells'
// changes in a step. A cell becomes a quarter of the sum of its neighbours, computed in float.
//
//   nx         cells per row, 3 to 50 000
//   ny         rows, 1 to 50 000; a mesh has at most 1 100 000 numbers
//   tolerance  at least 0, finite; the step whose residual is at most this is the last one
//   max_steps  1 to 1000; it ends after at most this number of steps
//   mesh       host memory, ny * nx finite numbers, row after row, input and output
//
// Returns the number of steps.
int settled_rank(int nx, int ny, double tolerance, int max_steps, float *mesh);
