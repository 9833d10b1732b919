// Specification of exercise 19-queue-time/as-of.
#pragma once

// The jobs as they were known at the time `now`, for a forecast that is made at this time from the
// jobs that became eligible in the `window` seconds before. All times are in s, 0 or more.
//
//   now        the time of the forecast
//   window     1 to now: a job counts if its time `eligible` is at least now - window and below now
//   n          jobs in the records, at least 1, including later ones
//   eligible   n times, input: when each job became eligible
//   left       n times, input: when each job started or was cancelled, not before `eligible`
//   started    n elements, input: 1 if the job started, 0 if it was cancelled
//   waited     n elements, output: how long each job had waited, as far as was known at `now`; -1
//              for a job that does not count
//   has_started   n elements, output: 1 if it was known at `now` that the job had started, else 0;
//              0 for a job that does not count
//
// Everything that happened before `now` is known. A job that leaves the queue at `now` or later
// still waits.
void as_of(int now, int window, int n, const int *eligible, const int *left, const int *started,
           int *waited, int *has_started);
