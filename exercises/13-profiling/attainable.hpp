// Specification of exercise 13-profiling/attainable.
#pragma once

// Returns the highest rate, in floating-point operations per second, that the roofline allows a
// kernel: the lower of the peak and the rate for which the memory can supply data.
//
//   flops           floating-point operations of the kernel: at least 0
//   bytes           bytes that it moves to and from device memory: above 0
//   peak_flops      operations per second of the device, above 0
//   peak_bandwidth  bytes per second of its memory, above 0
double attainable(double flops, double bytes, double peak_flops, double peak_bandwidth);
