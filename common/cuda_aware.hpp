// Does this MPI accept device pointers?
#pragma once

#include <cstdlib>
#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

namespace course {

// True if MPI reports that it accepts device pointers. For an MPI that has no such query, set the
// environment variable COURSE_CUDA_AWARE to any value. Call it after MPI_Init.
inline bool mpi_is_cuda_aware() {
#ifdef MPIX_CUDA_AWARE_SUPPORT
  if (MPIX_Query_cuda_support() == 1)
    return true;
#endif
  return std::getenv("COURSE_CUDA_AWARE") != nullptr;
}

} // namespace course
