// Specification of exercise 01-hello-gpu/roll-call.
#pragma once

// Launches a grid in which every thread writes its name:
// names[block * threads + thread] = 10000 * block + thread, for block 0 to blocks - 1 and thread 0
// to threads - 1.
//
//   blocks   number of blocks, 1 to 200000, and at most 17 million threads in all
//   threads  threads per block, 1 to 1024, all in x
//   names    host memory, blocks * threads numbers, output
//
// Leaves no device memory allocated.
void roll_call(int blocks, int threads, int *names);
