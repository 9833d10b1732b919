// Specification of exercise 07-reduction/coldest.
#pragma once

// The minimum of every group of 32 cells: coldest_of[w] is the minimum of degrees[32 * w] to
// degrees[32 * w + 31]. The last group may have fewer cells.
//
//   n           cells, 1 to 5 000 000
//   degrees     host memory, n numbers, none NaN or infinite, input
//   coldest_of  host memory, one number for each group, (n + 31) / 32 of them, output
//
// Leaves no device memory allocated.
void coldest(int n, const float *degrees, float *coldest_of);
