// The part of CUB that the CPU backend has: reductions and scans of a device and of a block,
// reductions of a warp. What is missing fails at compile time with its name.
#pragma once

#include "block_reduce.cuh"
#include "block_scan.cuh"
#include "device_reduce.cuh"
#include "device_scan.cuh"
#include "warp_reduce.cuh"
