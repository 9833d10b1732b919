#pragma once

extern __constant__ float factor;
extern __device__ unsigned launches;

__device__ float scaled(float x);
