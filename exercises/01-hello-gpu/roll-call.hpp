// Specification of exercise 01-hello-gpu/roll-call.
#pragma once

// Launches a grid of so many threads and writes who each of them is:
// names[block * threads + thread] = 10000 * block + thread, for block 0 to blocks - 1 and thread 0
// to threads - 1.
//
//   blocks   number of blocks, 1 to 200000
//   threads  threads per block, 1 to 1024, in x as the blocks
//   names    host memory, blocks * threads numbers, output
void roll_call(int blocks, int threads, int *names);
