// Specification of exercise 05-transpose/rgb-planes.
#pragma once

// Takes a picture apart, on the device: pixel i has its red, green and blue in rgb[3 i], rgb[3 i +
// 1] and rgb[3 i + 2], and gets them to planes[i], planes[pixels + i] and planes[2 pixels + i].
// Each number is loaded once and stored once. Loads and stores of global memory are coalesced, and
// shared memory has no bank conflicts.
//
//   pixels  1 to 16 million
//   rgb     host memory, 3 pixels floats, input
//   planes  host memory, 3 pixels floats, written completely
//
// Leaves no device memory allocated.
void rgb_planes(int pixels, const float *rgb, float *planes);
