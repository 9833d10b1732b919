// The part of CUB that the CPU backend has: reductions and scans of a device, reductions of a block
// and of a warp. What is missing fails at compile time with its name.
#pragma once

#include "block_reduce.cuh"
#include "device_reduce.cuh"
#include "device_scan.cuh"
#include "warp_reduce.cuh"
