// The contract of exercise 02-thread-indexing/ownership.
#pragma once

// Fills owner with the number of the block that owns each pixel of an image: owner[row * width +
// col] for row 0 to height - 1 and col 0 to width - 1.
//
//   owner          host memory, width * height numbers, only written
//   width, height  of the image in pixels, at least 1 each
//   block_width, block_height   threads of a block in x and y, at most 1024 together
//
// The grid has two dimensions, and is as small as covers the image: block 0 has its corner at row
// 0, column 0; the numbers count along x (the columns) first, then along y (the rows). It has at
// most 10000000 blocks.
void ownership(int *owner, int width, int height, int block_width, int block_height);
