// The part of CUB that the CPU backend has. What is missing fails at compile time with its name.
#pragma once

#include "block/block_adjacent_difference.cuh"
#include "block/block_reduce.cuh"
#include "device/device_for.cuh"
#include "device/device_histogram.cuh"
#include "device/device_reduce.cuh"
#include "device/device_scan.cuh"
#include "device/device_select.cuh"
#include "device/device_transform.cuh"
#include "version.cuh"

// As in CUB: programs call what these declare.
#include <cassert>
#include <chrono>
