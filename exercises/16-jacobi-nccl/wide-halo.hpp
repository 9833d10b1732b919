// Specification of exercise 16-jacobi-nccl/wide-halo.
#pragma once

// Takes `steps` Jacobi steps on all GPUs of the machine, as in-one-group does, but with halos of k
// rows, which are exchanged before steps 0, k, 2k, ... only. Of its halo each GPU also computes
// those rows that its own rows need before the next exchange, and no other row.
//
//   nx     cells of a row, at least 3
//   ny     rows, at least k; each GPU that takes part has at least k rows
//   k      at least 1
//   steps  at least 1, also where it is no multiple of k
//   mesh   host memory, ny * nx numbers, row after row, input and output
void wide_halo(int nx, int ny, int k, int steps, float *mesh);
