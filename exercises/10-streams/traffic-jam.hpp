// The contract of exercise 10-streams/traffic-jam.
#pragma once

// A gain and an offset for n samples, on the device: out[i] = gain * in[i] + offset, part after
// part. Parts in different streams overlap: none waits for a part in another stream.
//
//   n, parts  samples, at least 1, in so many parts, at least 1, of the same length but for the
//   last gain, offset in        host memory, n samples, only read out       host memory, n samples,
//   only written
//
// Leaves no device memory allocated, and no host memory pinned.
void traffic_jam(int n, int parts, float gain, float offset, const float *in, float *out);
