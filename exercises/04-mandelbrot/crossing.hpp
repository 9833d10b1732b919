// Specification of exercise 04-mandelbrot/crossing.
#pragma once

// Returns how many operations per value make the transfer to a device worth it: the smallest whole
// number k, at least 1, for which copying the values and computing on the device takes less time
// than computing on the host, or 0 if no number does. It is at most 10 million.
//
//   value_bytes  bytes copied per value, there and back together: 1 to 1 million
//   link         bytes per second between host and device
//   host_rate    operations per second of the host
//   device_rate  operations per second of the device
//
// All rates are 1 to 1e20. No number has to be a whole one. Copies and computation do not overlap,
// and nothing else takes time.
long crossing(double value_bytes, double link, double host_rate, double device_rate);
