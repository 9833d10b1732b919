// The part of CUB that the CPU backend has. What is missing fails at compile time with its name.
#pragma once

#include "block/block_adjacent_difference.cuh"
#include "block/block_load.cuh"
#include "block/block_reduce.cuh"
#include "block/block_scan.cuh"
#include "block/block_store.cuh"
#include "device/device_for.cuh"
#include "device/device_histogram.cuh"
#include "device/device_merge_sort.cuh"
#include "device/device_radix_sort.cuh"
#include "device/device_reduce.cuh"
#include "device/device_run_length_encode.cuh"
#include "device/device_scan.cuh"
#include "device/device_select.cuh"
#include "device/device_transform.cuh"
#include "iterator/constant_input_iterator.cuh"
#include "iterator/counting_input_iterator.cuh"
#include "iterator/transform_input_iterator.cuh"
#include "util_allocator.cuh"
#include "util_debug.cuh"
#include "util_macro.cuh"
#include "version.cuh"
#include "warp/warp_reduce.cuh"

// As in CUB: programs call what these declare.
#include <cassert>
#include <chrono>
