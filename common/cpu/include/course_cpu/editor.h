// CUDA's specifiers as clang's CUDA mode knows them. Only an editor compiles this way (clangd, with
// build/editor/compile_commands.json): it reads the .cu files as they are, launches included.
#pragma once

// Clang's header around <new> declares device functions with these.
#include <stdlib.h>

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

// These have their own idea of which functions are the device's.
#include <exception>
#include <new>

// The backend's functions run on both sides.
#pragma clang force_cuda_host_device begin

#include "types.h"

// What clang turns kernel<<<...>>> into.
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                     cudaStream_t stream = nullptr);
