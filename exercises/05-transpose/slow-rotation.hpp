// Specification of exercise 05-transpose/slow-rotation.
#pragma once

// Rotates a picture by 90 degrees clockwise, on the device: out has cols rows and rows columns, and
// its element (c, rows - 1 - r) is element (r, c) of in, where 0 and -0 count as the same. Each
// value is loaded once and stored once. Loads from and stores to global memory are coalesced, and
// shared memory has no bank conflicts. Where the rows of both are whole sectors (of 8 floats), no
// request touches part of a sector.
//
//   rows, cols  of in: each 1 to 100 000, and at most 2 million elements in total
//   in          host memory, row by row, input
//   out         host memory, row by row, output, written completely
//
// Leaves no device memory allocated.
void slow_rotation(int rows, int cols, const float *in, float *out);
