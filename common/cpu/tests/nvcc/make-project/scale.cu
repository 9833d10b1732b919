#include "scale.cuh"

__constant__ float factor = 3;
__device__ unsigned launches;

__device__ float scaled(float x) {
  if (threadIdx.x == 0)
    atomicAdd(&launches, 1u);
  return factor * x;
}
