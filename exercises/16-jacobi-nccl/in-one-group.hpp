// Specification of exercise 16-jacobi-nccl/in-one-group.
#pragma once

// Takes `steps` Jacobi steps on all GPUs of the machine: every cell becomes the mean of its four
// neighbours in the previous step. The first and the last column stay as they are. From the last
// row to the first, the mesh is periodic. Every GPU has some of the rows. If there are more GPUs
// than rows, only as many GPUs as rows take part. Between the first and the last kernel launch
// the host does not wait for the GPUs.
//
//   nx     cells per row, 3 to 50 000
//   ny     rows, 1 to 50 000; a mesh has at most 1 100 000 numbers
//   steps  1 to 150
//   mesh   host memory, ny * nx numbers from -1 to 1, row after row, input and output
void in_one_group(int nx, int ny, int steps, float *mesh);
