// Specification of exercise 10-streams/too-early.
#pragma once

// The negative of a film: negative[i] = 1 - film[i] for every pixel of every frame. While one frame
// is inverted or copied back, the next one may be copied to the device: per two frames, at most 5
// copies and kernels are in one chain, in which each waits for the previous one.
//
//   frames    number of frames, 1 to 2000
//   pixels    pixels per frame, 1 to 3840 x 2160; all frames together have at most 10 000 000
//   film      host memory, frames * pixels numbers, frame after frame, input: from -1 to 2, or
//             infinite, or NaN
//   negative  host memory, frames * pixels numbers, frame after frame, output
//
// Leaves no device memory allocated, and neither array pinned.
void too_early(int frames, int pixels, const float *film, float *negative);
