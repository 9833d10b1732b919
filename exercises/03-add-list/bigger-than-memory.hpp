// Specification of exercise 03-add-list/bigger-than-memory.
#pragma once

// Converts n temperatures, kelvin[i] = celsius[i] + 273.15, on a device too small for the array.
//
//   n             numbers in each array, 1 to 17 million
//   celsius       host memory, n numbers, input
//   kelvin        host memory, n numbers, output
//   device_bytes  device memory that the function may have allocated at any one time, in bytes: at
//                 least 4, and not always a multiple of 4. At most min(device_bytes, 4 n) bytes may
//                 be allocated
//
// Leaves no device memory allocated.
void bigger_than_memory(int n, const float *celsius, float *kelvin, int device_bytes);
