// Specification of exercise 07-reduction/norm.
#pragma once

// The Euclidean norm of a - b, the square root of the sum of (a[i] - b[i])^2, computed on the
// device in one launch.
//
//   n  numbers in each array, 1 to 2 000 000
//   a  host memory, n numbers, input
//   b  host memory, n numbers, input
//
// Returns NaN if one of the numbers is NaN. None is infinite, and no difference is too large for
// a float. Squares and sums are in double. May be called any number of times, with other arrays;
// leaves no device memory allocated.
double norm(const float *a, const float *b, int n);
