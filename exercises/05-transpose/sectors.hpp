// Specification of exercise 05-transpose/sectors.
#pragma once

// Returns how many sectors one request of a warp touches: lane k, from 0 to 31, loads element
// offset + k * stride of an array that begins at the start of a sector. A sector is 32 bytes.
//
//   offset         in elements: 0 to 1000
//   stride         in elements: 0 (all lanes load the same one) to 1000
//   element_bytes  1, 2, 4, 8 or 16: no element lies in two sectors
int sectors(int offset, int stride, int element_bytes);
