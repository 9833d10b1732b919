// Specification of exercise 11-libraries/hot-cells.
#pragma once

// Returns how many of the cells of a plate are hotter than `limit`; counted on the device.
//
//   n        at least 1
//   degrees  host memory, n floats, none of them NaN, input
//   limit    not NaN; a cell of exactly that temperature does not count
//
// Leaves no device memory allocated.
int hot_cells(int n, const float *degrees, float limit);
