// Specification of exercise 10-streams/traffic-jam.
#pragma once

// A gain and an offset for n samples, on the device: out[i] = gain * in[i] + offset, part after
// part, in four streams or more. Parts in different streams overlap: none waits for a part in
// another stream, and the host waits for nothing between the launches. At most a third of all
// copies and kernels are one chain, in which each waits for the one before it.
//
//   n             samples, at least 1
//   parts         at least 1: into so many parts at most the samples are cut, with one launch for
//                 each
//   gain, offset  the same for all samples
//   in            host memory, n samples, input
//   out           host memory, n samples, output
//
// Leaves no device memory allocated, and no host memory pinned.
void traffic_jam(int n, int parts, float gain, float offset, const float *in, float *out);
