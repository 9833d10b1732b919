// The contract that the cheats in tests/grader/cheats pretend to fulfil.
#pragma once

// out[i] = 2 * in[i] for the n numbers of `in` (host memory), computed on the device. Returns n.
int twice(int n, const int *in, int *out);
