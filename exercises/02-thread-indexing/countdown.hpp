// Specification of exercise 02-thread-indexing/countdown.
#pragma once

// Counts down: list[i] = n - i for i in 0 to n - 1, with blocks of the size that the caller picks.
//
//   list   host memory, n numbers, output
//   n      number of elements, 1 to 17 million
//   block  threads per block, 1 to 1024, all in x
//
// Leaves no device memory allocated.
void countdown(int *list, int n, int block);
