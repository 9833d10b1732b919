// Specification of exercise 10-streams/chunks.
#pragma once

// Converts n temperatures, kelvin[i] = celsius[i] + 273.15f, on a device that is too small for the
// array, like bigger_than_memory. Chunks in different streams, at least two, overlap: the device
// copies one chunk while it works on another. At most half of all copies and kernels are in one
// chain, in which each waits for the previous one.
//
//   n             numbers in each array, 1 to 20 000 000
//   celsius       host memory, n numbers from -900 to 1500, infinite or NaN, input
//   kelvin        host memory, n numbers, output
//   device_bytes  device memory that the function may hold at any one time, in bytes: at least 16,
//                 and not always a multiple of 16. Even if it is large, at most four times the size
//                 of one array is used
//
// Leaves no device memory allocated, and neither array pinned.
void chunks(int n, const float *celsius, float *kelvin, int device_bytes);
