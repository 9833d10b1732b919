// Specification of exercise 06-integration2d/early-exit.
#pragma once

struct Tested {
  double integral; // over [0, pi/2] x [0, pi/2], computed by the kernel
  int accepted;    // 1 if the program's own test accepts the kernel, else 0
};

// Integrates sin(x + y) with a kernel, and tests that kernel.
//
//   n       points in each direction, 100 to 2000
//   grid    blocks, 1 to 100 000; each works on its strips of rows
//   block   threads per block, a power of two up to 1024
//   kernel  0: integrate, which is right if the exercise is solved. The others are wrong:
//           1: does nothing, 2: half of the value, 3: twice the value, 4: NaN
//
// The test must accept kernel 0 and no other kernel.
Tested early_exit(int n, int grid, int block, int kernel);
