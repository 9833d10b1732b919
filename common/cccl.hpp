// Defines two names of CCCL (Thrust, CUB, libcu++) for older toolkits: cuda::maximum, new in CUDA
// 12.9, and cuda::constant_iterator, new in CUDA 13.1. Their predecessors in Thrust are deprecated.
// Source: the CCCL headers of CUDA 12.8, 12.9, 13.0, 13.1 and 13.5.
#pragma once

#include <cuda/functional>
#include <thrust/version.h>

#if THRUST_VERSION >= 300100
#include <cuda/iterator>
#else
#include <thrust/iterator/constant_iterator.h>
namespace cuda {
using thrust::constant_iterator;
}
#endif

#if THRUST_VERSION < 200800
#include <thrust/functional.h>
namespace cuda {
using thrust::maximum;
}
#endif
