// Specification of exercise 00-from-python/blocks-needed.
#pragma once

// Returns how many blocks of `block` elements cover n elements: the last block may be partly empty.
//
//   n       elements, 1 to 2000000000
//   block   elements of a block, 1 to 1024
int blocks_needed(int n, int block);
