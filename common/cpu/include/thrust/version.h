// Thrust of CUDA 12.9.
//
// These headers are not NVIDIA's: in the host system of NVIDIA's Thrust device memory is host
// memory, without kernels and streams, so the tools could not find a host pointer in a device
// algorithm. An algorithm is a kernel of one thread here.
#pragma once

#define THRUST_VERSION 200802
#define THRUST_MAJOR_VERSION (THRUST_VERSION / 100000)
#define THRUST_MINOR_VERSION (THRUST_VERSION / 100 % 1000)
#define THRUST_SUBMINOR_VERSION (THRUST_VERSION % 100)
