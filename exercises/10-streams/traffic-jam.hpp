// Specification of exercise 10-streams/traffic-jam.
#pragma once

// Applies a gain and an offset to n samples on the device: out[i] = gain * in[i] + offset, part
// after part, in several streams. The host does not wait between the launches. Parts in different
// streams overlap: where there are 12 parts or more, at most a third of all copies and kernels are
// in one chain, in which each waits for the previous one.
//
//   n             samples, 1 to 20 000 000
//   parts         the samples are cut into at most this many parts, with one launch per part;
//                 1 to 2000
//   gain, offset  the same for all samples
//   in            host memory, n samples, input
//   out           host memory, n samples, output
//
// Leaves no device memory allocated, and neither array pinned.
void traffic_jam(int n, int parts, float gain, float offset, const float *in, float *out);
