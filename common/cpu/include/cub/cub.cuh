// The part of CUB that the CPU backend has: reductions, scans, sorts, selections and runs of a
// whole array; reductions and scans of a block, reductions of a warp. What is missing fails at
// compile time with its name.
#pragma once

#include "block_reduce.cuh"
#include "block_scan.cuh"
#include "device_reduce.cuh"
#include "device_runs.cuh"
#include "device_scan.cuh"
#include "device_select.cuh"
#include "device_sort.cuh"
#include "warp_reduce.cuh"
