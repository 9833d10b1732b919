// Specification of exercise 11-libraries/shares.
#pragma once

// The share that each wind farm has in all of the energy, computed on the device; farms in rising
// order. Returns how many farms there are, say k.
//
//   n       at least 1
//   farm    host memory, n numbers of farms in no order, input
//   energy  host memory, n doubles above 0, in MWh, input; their sum is finite
//   farms   host memory, room for n: elements 0 to k - 1 are written
//   share   host memory, room for n: element i is the share of farms[i]; the k shares add up to 1
//
// Leaves no device memory allocated.
int shares(int n, const int *farm, const double *energy, int *farms, double *share);
