// Specification of exercise 19-queue-time/stream-percentile.
#pragma once

// Counts one piece of a stream of waits, and returns the percentile of all waits of this stream so
// far: of this piece and of those before. Nothing is kept but `jobs`, which the caller passes again
// with the next piece. Between two pieces of a stream there may be pieces of others.
//
//   n       waits in this piece: 0 or more
//   waits   of jobs, in s, 0 or more; only read
//   share   of the jobs, above 0 and below 1: 0.5 for the median
//   bins    at least 1
//   upper   bins elements, above 0 and ascending: bin b has the waits above upper[b - 1] and up to
//           upper[b], itself included; bin 0 those from 0 to upper[0]; only read
//   jobs    bins + 1 elements, input and output: how many jobs each bin has so far. jobs[bins] has
//           those that waited for longer than upper[bins - 1]. Each fits into an int, their sum may
//           not. After this piece there is at least one.
//
// The percentile lies in the first bin b with which at least share * (all jobs) are counted. Its
// jobs are taken as evenly spread: if a fraction f of them is needed to reach share * (all jobs),
// the percentile is f of the way from the bin's lower bound to its upper one. If it lies above
// upper[bins - 1], more is not known: returns upper[bins - 1].
double stream_percentile(int n, const int *waits, double share, int bins, const int *upper,
                         int *jobs);
