// Specification of exercise 09-stencil/ring.
#pragma once

// One Jacobi step on a ring of cells, computed on the device: each cell becomes the mean of its two
// neighbours before the step. The boundary is periodic: after the last cell comes the first.
//
//   n     cells, at least 1
//   now   host memory, n numbers, the cells before the step, input; no sum of two overflows
//   next  host memory, n numbers, the cells after it, output
//
// Leaves no device memory allocated.
void ring(int n, const float *now, float *next);
