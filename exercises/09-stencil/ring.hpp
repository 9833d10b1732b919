// Specification of exercise 09-stencil/ring.
#pragma once

// One Jacobi step on a ring of cells, computed on the device. Each cell becomes the mean of its two
// neighbours before the step. The boundary is periodic: the first cell follows the last one.
//
//   n     number of cells, 1 to 17 000 000
//   now   host memory, n numbers, the cells before the step, input. No sum of two overflows.
//   next  host memory, n numbers, the cells after the step, output
//
// Leaves no device memory allocated.
void ring(int n, const float *now, float *next);
