// Specification of exercise 19-queue-time/as-of.
#pragma once

// The jobs as they were known at the time `now`, for a forecast that is made at this time: those
// that became eligible within `window` seconds before it. All times are in s, 0 or more.
//
//   now        the time of the forecast
//   window     1 to now: a job counts if its time `eligible` is at least now - window and below now
//   n          how many jobs the records have, at least 1: also later ones
//   eligible   when each became eligible; only read
//   left       when each left the queue, not before `eligible`: by its start, or since it was
//              cancelled; only read
//   started    1 if it left by its start, 0 if it was cancelled; only read
//   waited     n elements, written: how long each job had waited, as far as was known at `now`; -1
//              for a job that does not count
//   has_started   n elements, written: 1 if it was known at `now` that the job had started, else 0;
//              0 for a job that does not count
//
// Known is what happened before `now`. A job that leaves the queue at `now` or later still waits.
void as_of(int now, int window, int n, const int *eligible, const int *left, const int *started,
           int *waited, int *has_started);
