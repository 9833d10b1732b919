// Specification of exercise 11-libraries/strongest.
#pragma once

// Groups n measurements by station, on the device: the strongest wind of each station, stations in
// rising order. Returns how many stations there are, say k.
//
//   n          at least 1
//   station    host memory, n numbers of stations in no order, input
//   wind       host memory, n floats in m/s, input; may be negative (an offset of the sensor)
//              or infinite, but not NaN
//   stations   host memory, room for n: elements 0 to k - 1 are written
//   strongest  host memory, room for n: element i is the strongest wind of stations[i]
//
// Leaves no device memory allocated.
int strongest(int n, const int *station, const float *wind, int *stations, float *strongest);
