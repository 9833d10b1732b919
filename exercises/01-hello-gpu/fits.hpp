// Specification of exercise 01-hello-gpu/fits.
#pragma once

// Returns how many blocks of one kernel a device runs at the same time, on all its multiprocessors
// (SMs) together, or 0 if no block fits.
//
// The device, each number at most 4 million:
//   sms            multiprocessors, 1 to 200
//   sm_threads     threads that one SM holds
//   sm_blocks      blocks that one SM holds
//   sm_registers   registers of one SM
//   sm_shared      shared memory of one SM, bytes
// The kernel:
//   block_threads      threads per block, at least 1; no device runs a block of more than 1024
//   thread_registers   registers of one thread: 1 to 255
//   block_shared       shared memory of one block, bytes; 0 if the kernel uses none
//
// A block occupies whole warps of 32 threads: it needs the threads and registers of all its warps.
int fits(int sms, int sm_threads, int sm_blocks, int sm_registers, int sm_shared, int block_threads,
         int thread_registers, int block_shared);
