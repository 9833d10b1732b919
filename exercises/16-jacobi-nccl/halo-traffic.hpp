// Specification of exercise 16-jacobi-nccl/halo-traffic.
#pragma once

struct Traffic {
  long long messages, bytes;
};

// The number of messages and bytes that one GPU sends during `steps` Jacobi steps with halos of k
// rows.
//
//   nx     cells per row, each a float, at least 1
//   k      rows per halo, 1 to 100 million
//   steps  1 to 2000 million
//
// A message may have more cells than an int can hold.
// The halos are exchanged before steps 0, k, 2k, ...: a GPU sends its first k rows to the previous
// rank and its last k rows to the next rank, as one message each.
Traffic halo_traffic(int nx, int k, int steps);
