// The contract of the answers in tests/grader/nccl, with NCCL between ranks and between devices.
#pragma once

// list[i] = the sum of list[i] over the ranks of MPI_COMM_WORLD, by NCCL. `list`: host memory, n
// numbers. Each device of each rank has a part in it.
void sum(int n, float *list);
