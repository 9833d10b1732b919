// Specification of exercise 02-thread-indexing/any-grid.
#pragma once

// Adds 1 to each of n cells, exactly once, with one launch of the grid that the caller picks: it
// may have far fewer threads than there are cells, or more.
//
//   visits  host memory, n counts, input and output
//   n       number of cells, 1 to 17 million
//   grid    number of blocks, 1 to 100000, all in x
//   block   threads per block, 1 to 1024, all in x; at most 17 million threads in all
//
// Leaves no device memory allocated.
void any_grid(int *visits, int n, int grid, int block);
