// The contract of exercise 02-thread-indexing/any-grid.
#pragma once

// Adds 1 to each of n cells, exactly once, with the grid that the caller picks: it may have far
// fewer threads than there are cells, or more.
//
//   visits  host memory, n counts, read and written
//   n       number of cells, at least 1
//   grid    number of blocks, at least 1
//   block   threads of a block, 1 to 1024
void any_grid(int *visits, int n, int grid, int block);
