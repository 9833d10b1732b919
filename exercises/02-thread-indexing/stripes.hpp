// Specification of exercise 02-thread-indexing/stripes.
#pragma once

// Paints slanted stripes: image[row * width + col] becomes (col + 2 * row) / stripe % 3.
//
// A launch that fails ends the program, and prints CUDA's description of the error. Leaves no
// device memory allocated.
//
//   image          host memory, width * height colours of 0 to 2, output
//   width, height  of the image in pixels, 1 to 50000 each, and at most 4 million pixels in all
//   stripe         width of a stripe in pixels, 1 to 100000
void stripes(int *image, int width, int height, int stripe);
