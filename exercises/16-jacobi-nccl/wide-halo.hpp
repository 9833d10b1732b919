// Specification of exercise 16-jacobi-nccl/wide-halo.
#pragma once

// Takes `steps` Jacobi steps on all GPUs of the machine, like in-one-group, but with halos of k
// rows, which are exchanged only before steps 0, k, 2k, ... Every GPU also computes the halo rows
// that its own rows need before the next exchange, and no other row.
//
//   nx     cells per row, 3 to 50 000
//   ny     rows, k to 50 000; every GPU that takes part has at least k rows. A mesh has
//          at most 1 100 000 numbers.
//   k      1 to 20
//   steps  1 to 60; it need not be a multiple of k
//   mesh   host memory, ny * nx numbers from -1 to 1, row after row, input and output
void wide_halo(int nx, int ny, int k, int steps, float *mesh);
