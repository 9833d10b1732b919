// Specification of exercise 11-libraries/strongest.
#pragma once

// Groups n measurements by station, on the device: the strongest wind of each station, stations in
// rising order. Returns the number k of stations.
//
//   n          measurements, 1 to 1 100 000
//   station    host memory, n station numbers in any order, input
//   wind       host memory, n floats in m/s, input; may be negative (an offset of the sensor) or
//              infinite, but not NaN
//   stations   host memory, space for n: elements 0 to k - 1 are output, the others keep their
//              values
//   strongest  host memory, space for n: element i is the strongest wind of stations[i], output;
//              the others keep their values
//
// Leaves no device memory allocated.
int strongest(int n, const int *station, const float *wind, int *stations, float *strongest);
