// The contract of exercise 07-reduction/coldest.
#pragma once

// The coldest of each 32 cells: coldest_of[w] is the lowest of degrees[32 * w] to
// degrees[32 * w + 31]. The last group may have fewer cells: then it is the lowest of those.
//
//   n           cells, 1 to 8 000 000
//   degrees     host memory, n numbers, none NaN or infinite, only read
//   coldest_of  host memory, one number for each group, (n + 31) / 32 of them, only written
//
// Leaves no device memory allocated.
void coldest(int n, const float *degrees, float *coldest_of);
