// Specification of exercise 11-libraries/shares.
#pragma once

// Computes the share of each wind farm in the total energy, on the device, farms in rising order.
// Returns the number k of farms.
//
//   n       numbers in farm and in energy, 1 to 100 000
//   farm    host memory, n farm numbers in any order, input
//   energy  host memory, n doubles above 0, in MWh, input; their sum is finite
//   farms   host memory, space for n: elements 0 to k - 1 are output, the others keep their values
//   share   host memory, space for n: element i is the share of farms[i], output; the k shares add
//           up to 1, and the other elements keep their values
//
// Leaves no device memory allocated.
int shares(int n, const int *farm, const double *energy, int *farms, double *share);
