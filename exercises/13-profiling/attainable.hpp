// Specification of exercise 13-profiling/attainable.
#pragma once

// Returns the most floating-point operations per second that the roofline allows a kernel: what the
// memory can feed, and no more than the peak.
//
//   flops           that the kernel does: at least 0
//   bytes           that it moves between the chip and its memory: above 0
//   peak_flops      operations per second of the device, above 0
//   peak_bandwidth  bytes per second of its memory, above 0
double attainable(double flops, double bytes, double peak_flops, double peak_bandwidth);
