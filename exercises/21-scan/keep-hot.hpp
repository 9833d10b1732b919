// Specification of exercise 21-scan/keep-hot.
#pragma once

// Returns the number of cells that are hotter than `limit`, and writes their indices to the
// beginning of `kept`, the lowest index first. The rest of `kept` does not change.
//
//   n        cells, 1 to 5 000 000
//   degrees  host memory, n numbers, none NaN, input
//   limit    not NaN; a cell of exactly this temperature is not hot
//   kept     host memory, n numbers, output
//
// Leaves no device memory allocated.
int keep_hot(int n, const float *degrees, float limit, int *kept);
