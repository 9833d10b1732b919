// Specification of exercise 11-libraries/hot-cells.
#pragma once

// Returns the number of cells that are hotter than `limit`, counted on the device.
//
//   n        cells, 1 to 20 000 000
//   degrees  host memory, n numbers, none NaN, input
//   limit    not NaN, but it may be infinite; a cell of exactly this temperature is not counted
//
// Leaves no device memory allocated.
int hot_cells(int n, const float *degrees, float limit);
