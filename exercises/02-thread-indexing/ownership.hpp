// Specification of exercise 02-thread-indexing/ownership.
#pragma once

// Fills owner with the index of the block that works on each pixel of an image: owner[row * width +
// col] for row 0 to height - 1 and col 0 to width - 1.
//
//   owner          host memory, width * height numbers, output
//   width, height  of the image in pixels, 1 to 50000 each, and at most 4 million pixels in all
//   block_width, block_height   threads per block in x and y, at most 1024 together
//
// The grid has two dimensions, and is the smallest that covers the image. Block 0 has its corner at
// row 0, column 0. Blocks are counted along x (the columns) first, then along y (the rows).
//
// Leaves no device memory allocated.
void ownership(int *owner, int width, int height, int block_width, int block_height);
