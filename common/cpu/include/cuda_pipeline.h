// Copies to shared memory by which a thread waits for nobody else's. They are done at once.
#pragma once

#include "cuda_runtime.h"

#include <cstddef>
#include <cstring>

COURSE_CPU_BOTH_SPACES

// The last `zeros` of the bytes are filled with 0.
inline void __pipeline_memcpy_async(void *to, const void *from, std::size_t bytes,
                                    std::size_t zeros = 0) {
  if (bytes != 4 && bytes != 8 && bytes != 16)
    course_cpu::fault(cudaErrorLaunchFailure,
                      "calls __pipeline_memcpy_async with a size other than 4, 8 or 16 bytes");
#ifdef COURSE_CPU_INSTRUMENTED // else the host compiler may put a shared array at any float
  if ((course_cpu::to_bits(to) | course_cpu::to_bits(from)) % bytes != 0)
    course_cpu::fault(cudaErrorMisalignedAddress,
                      "calls __pipeline_memcpy_async with an address that is not a multiple of the "
                      "copied bytes");
#endif
  std::memcpy(to, from, bytes - zeros);
  std::memset(static_cast<char *>(to) + bytes - zeros, 0, zeros);
}
inline void __pipeline_commit() {}
inline void __pipeline_wait_prior(std::size_t) {}

COURSE_CPU_BOTH_SPACES_END
