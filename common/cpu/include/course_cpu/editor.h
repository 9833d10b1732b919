// For editors (clangd): read before each .cu file, which clang then parses in its own CUDA mode,
// since that knows <<<...>>>. There the qualifiers stay empty, so a kernel is an ordinary function;
// .clangd drops the complaint about that. No program is compiled with this header.
#pragma once

#include <cuda_runtime.h>

// `extern __shared__ float x[]` is C++ with this.
#undef __shared__
#define __shared__

// What clang makes of the part between <<< and >>>.
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                     cudaStream_t stream = nullptr);
