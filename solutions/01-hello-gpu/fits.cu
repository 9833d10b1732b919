// Exercise 01-hello-gpu/fits: how many blocks of a kernel run at the same time?
//
// Build: nvcc -O3 -std=c++17 -I. exercises/01-hello-gpu/fits.cu -o fits
// Run:   ./fits
//
// A multiprocessor (SM) holds blocks until one of its four resources is used up: threads, blocks,
// registers or shared memory. No kernel runs here: the numbers are in the data sheets.

#include "common/verify.hpp"
#include "exercises/01-hello-gpu/fits.hpp"

#include <algorithm>
#include <cstdio>

int fits(int sms, int sm_threads, int sm_blocks, int sm_registers, int sm_shared, int block_threads,
         int thread_registers, int block_shared) {
  if (block_threads > 1024)
    return 0;

  // TODO 1: how many threads do the warps of a block have?
  const int occupied_threads = (block_threads + 31) / 32 * 32;
  // TODO end

  // TODO 2: how many blocks fit on one SM, by each of the four resources?
  int sm_fits = std::min(sm_threads / occupied_threads, sm_blocks);
  sm_fits = std::min(sm_fits, sm_registers / (occupied_threads * thread_registers));
  if (block_shared > 0)
    sm_fits = std::min(sm_fits, sm_shared / block_shared);
  // TODO end

  return sms * sm_fits;
}

struct Device {
  const char *name;
  int sms, sm_threads, sm_blocks, sm_registers, sm_shared;
};
struct Kernel {
  const char *name;
  int block_threads, thread_registers, block_shared;
};

int main() {
  const Device devices[] = {{"K80 (one of its two)", 13, 2048, 16, 131072, 112 * 1024},
                            {"T4", 40, 1024, 16, 65536, 64 * 1024},
                            {"H200", 132, 2048, 32, 65536, 228 * 1024}};
  const Kernel kernels[] = {{"256 threads, 32 registers", 256, 32, 0},
                            {"100 threads, 40 registers", 100, 40, 0},
                            {"128 threads, 32 registers, 24 KiB", 128, 32, 24 * 1024}};
  // Computed by hand: one row per kernel, one column per device.
  const int expected[] = {104, 160, 1056, 208, 320, 1584, 52, 80, 1188};
  int got[9];
  for (int i = 0; i < 9; ++i) {
    const Kernel &k = kernels[i / 3];
    const Device &d = devices[i % 3];
    got[i] = fits(d.sms, d.sm_threads, d.sm_blocks, d.sm_registers, d.sm_shared, k.block_threads,
                  k.thread_registers, k.block_shared);
    if (got[i] < 0) {
      std::puts("no result yet: fill in TODO 1 and TODO 2");
      return 1;
    }
    std::printf("%-34s on the %-21s %5d blocks\n", k.name, d.name, got[i]);
  }
  return course::verdict(course::verify("blocks", got, 9, [&](size_t i) { return expected[i]; }));
}
