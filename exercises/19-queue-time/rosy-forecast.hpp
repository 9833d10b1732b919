// Specification of exercise 19-queue-time/rosy-forecast.
#pragma once

// Returns the wait, in s, that `share` of the jobs do not exceed: Kaplan and Meier's estimate. Jobs
// that did not start would have waited longer than they did.
//
//   n        at least 1
//   waited   n waits in s, 0 or more, in any order, input: until the job started or was cancelled,
//            or until now if it still waits
//   started  n elements, input: 1 if the job started after its wait, 0 if it was cancelled or still
//            waits
//   share    above 0 and below 1: 0.5 for the median
//
// For each time t at which a job started, the jobs at risk are those that waited for t or longer,
// whether they started or not. A job at risk starts at t with the probability (jobs that started at
// t) / (jobs at risk). The product of 1 - this probability over all times up to t is the share of
// the jobs that wait longer than t. Returns the first t at which this share is at most 1 - share.
// If there is none, the wait is longer than the data show: returns -1.
double rosy_forecast(int n, const int *waited, const int *started, double share);
