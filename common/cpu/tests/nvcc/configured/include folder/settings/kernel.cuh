#pragma once

__global__ void multiply(int *x) { *x *= TIMES; }

inline void launch(int *x) { multiply<<<1, 1>>>(x); }
