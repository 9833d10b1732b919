// Specification of exercise 19-queue-time/rosy-forecast.
#pragma once

// Returns the wait, in s, that `share` of the jobs do not exceed: Kaplan and Meier's estimate,
// which knows of some jobs only that they would have waited for longer than they did.
//
//   n        at least 1
//   waited   of each job, in s, 0 or more: until it started or was cancelled; if it still waits,
//            until now; in any order; only read
//   started  1 if the job started after that time, 0 if it was cancelled or still waits; only read
//   share    above 0 and below 1: 0.5 for the median
//
// For each time t at which a job started: who has waited for t or longer, started or not, was at
// risk then, and starts at t with the probability (jobs that started at t) / (jobs at risk). The
// product of 1 - this probability over all times up to t is the share of the jobs that wait for
// longer than t. The first t at which it is at most 1 - share is returned. If it never gets so
// small, the wait is longer than anybody knows: returns -1.
double rosy_forecast(int n, const int *waited, const int *started, double share);
