// Specification of exercise 03-add-list/there-and-back.
#pragma once

// x[i] = -x[i] for each i in 0 to n - 1, computed on the device; 0 and -0 count as the same.
//
//   x  host memory, n numbers, input and output
//   n  number of elements, 1 to 17 million
//
// Leaves no device memory allocated.
void there_and_back(float *x, int n);
