// The contract of exercise 10-streams/traffic-jam.
#pragma once

// A gain and an offset for n samples, on the device: out[i] = gain * in[i] + offset, part after
// part. Parts in different streams overlap: none waits for a part in another stream.
//
//   n             samples, at least 1
//   parts         at least 1; all have the same length, but for the last ones, which may be shorter
//                 or empty
//   gain, offset  the same for all samples
//   in            host memory, n samples, only read
//   out           host memory, n samples, only written
//
// Leaves no device memory allocated, and no host memory pinned.
void traffic_jam(int n, int parts, float gain, float offset, const float *in, float *out);
