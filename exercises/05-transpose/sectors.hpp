// Specification of exercise 05-transpose/sectors.
#pragma once

// Returns the number of sectors that one request of a warp touches. Lane k, from 0 to 31, loads
// element offset + k * stride of an array that begins at the start of a sector. A sector is 32
// bytes.
//
//   offset         in elements: 0 to 1000
//   stride         in elements: 0 (all lanes load the same element) to 1000
//   element_bytes  1, 2, 4, 8 or 16: every element lies within one sector
int sectors(int offset, int stride, int element_bytes);
