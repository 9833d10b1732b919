// Specification of exercise 05-transpose/rgb-planes.
#pragma once

// Splits a picture into three planes, on the device. Pixel i has its red, green and blue in
// rgb[3 i], rgb[3 i + 1] and rgb[3 i + 2]. They are copied to planes[i], planes[pixels + i] and
// planes[2 pixels + i]. Each value is loaded once and stored once. Loads from and stores to global
// memory are coalesced, and shared memory has no bank conflicts.
//
//   pixels  1 to 2 million
//   rgb     host memory, 3 * pixels floats, input
//   planes  host memory, 3 * pixels floats, output, written completely
//
// Leaves no device memory allocated.
void rgb_planes(int pixels, const float *rgb, float *planes);
