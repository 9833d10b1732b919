// Specification of exercise 10-streams/chunks.
#pragma once

// Converts n temperatures, kelvin[i] = celsius[i] + 273.15f, on a device too small for the list, as
// bigger_than_memory does; and chunks in different streams, two or more, overlap: the device copies
// one while it works on another. At most half of all copies and kernels are one chain, in which
// each waits for the one before it.
//
//   n             numbers in each list, at least 1
//   celsius       host memory, n numbers, input
//   kelvin        host memory, n numbers, output
//   device_bytes  device memory that the function may hold at any one time, in bytes: at least 16,
//                 and not always a multiple of 16; where it is large, no more than four times the
//                 list's own size is taken
//
// Leaves no device memory allocated, and no host memory pinned.
void chunks(int n, const float *celsius, float *kelvin, int device_bytes);
