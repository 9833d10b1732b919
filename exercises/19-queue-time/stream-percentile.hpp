// Specification of exercise 19-queue-time/stream-percentile.
#pragma once

// Counts one piece of a stream of waits, and returns the percentile of all waits of this stream so
// far, in this piece and all earlier ones. Only `jobs` is kept, and the caller passes it again with
// the next piece. Pieces of other streams may come between two pieces.
//
//   n       waits in this piece: 0 or more
//   waits   n waits in s, 0 or more, input
//   share   of the jobs, above 0 and below 1: 0.5 for the median
//   bins    at least 1
//   upper   bins elements, above 0 and ascending, input: bin b has the waits above upper[b - 1] and
//           up to and including upper[b]; bin 0 has the waits from 0 to upper[0]
//   jobs    bins + 1 elements, input and output: the number of jobs in each bin so far. jobs[bins]
//           has the jobs that waited longer than upper[bins - 1]. Each number fits into an int,
//           their sum may not. After this piece there is at least one job.
//
// The percentile lies in the first bin b with which at least share * (all jobs) are counted. Its
// jobs are evenly spread by assumption: if a fraction f of them is needed to reach share * (all
// jobs), the percentile is f of the way from the bin's lower bound to its upper bound. If the
// percentile is above upper[bins - 1], no more is known: returns upper[bins - 1].
double stream_percentile(int n, const int *waits, double share, int bins, const int *upper,
                         int *jobs);
