// Specification of exercise 00-from-python/blocks-needed.
#pragma once

// Returns the number of blocks of `block` elements that cover n elements. The last block may be
// partly empty.
//
//   n       number of elements, 1 to 2000000000
//   block   elements per block, 1 to 1024
int blocks_needed(int n, int block);
