// Specification of exercise 01-hello-gpu/fits.
#pragma once

// Returns how many blocks of one kernel a device runs at the same time, on all its multiprocessors
// (SMs) together; 0 where not even one block fits.
//
// The device:
//   sms            multiprocessors
//   sm_threads     threads that one SM holds
//   sm_blocks      blocks that one SM holds
//   sm_registers   registers of one SM
//   sm_shared      shared memory of one SM, bytes
// The kernel:
//   block_threads      threads per block: at least 1; more than 1024 do not run on any device
//   thread_registers   registers of one thread: 1 to 255
//   block_shared       shared memory of one block, bytes: 0 for a kernel that uses none
//
// A block occupies whole warps of 32 threads: their threads and registers count, used or not.
int fits(int sms, int sm_threads, int sm_blocks, int sm_registers, int sm_shared, int block_threads,
         int thread_registers, int block_shared);
