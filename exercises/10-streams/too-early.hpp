// Specification of exercise 10-streams/too-early.
#pragma once

// The negative of a film: negative[i] = 1 - film[i] for each pixel of each frame. While one
// frame is worked on or copied back, the next one may be on its way to the device: for each two
// frames at most 5 copies and kernels are one chain, in which each waits for the one before it.
//
//   frames, pixels  of a frame: each at least 1, and at most 3840 x 2160 pixels
//   film            host memory, frame after frame, input
//   negative        host memory, frame after frame, output
//
// Leaves no device memory allocated, and no host memory pinned.
void too_early(int frames, int pixels, const float *film, float *negative);
