// Functions that programs older than CUDA 12 call.
#pragma once

#include "api.h"

inline cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
inline cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
inline cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value) {
  return cudaDeviceSetLimit(limit, value);
}
inline cudaError_t cudaThreadGetLimit(size_t *value, cudaLimit limit) {
  return cudaDeviceGetLimit(value, limit);
}
inline cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config) {
  return cudaDeviceSetCacheConfig(config);
}
inline cudaError_t cudaThreadGetCacheConfig(cudaFuncCache *config) {
  return cudaDeviceGetCacheConfig(config);
}

#if __cplusplus >= 201703L
#include "warp.h"

// Of the lanes that run together, without a mask.
#define COURSE_CPU_OLD(NAME)                                                                       \
  [[deprecated(#NAME " is gone from CUDA 13 and from newer GPUs: " #NAME                           \
                     "_sync takes the lanes as its first argument")]] __device__ inline
#define COURSE_CPU_OLD_SHUFFLE(NAME, SOURCE)                                                       \
  template <class T>                                                                               \
  COURSE_CPU_OLD(NAME)                                                                             \
  T NAME(T value, SOURCE source, int width = 32,                                                   \
         course_cpu::SourceLine line = course_cpu::here()) {                                       \
    return NAME##_sync(__activemask(line), value, source, width, line);                            \
  }
#define COURSE_CPU_OLD_VOTE(RESULT, NAME)                                                          \
  COURSE_CPU_OLD(NAME)                                                                             \
  RESULT NAME(int predicate, course_cpu::SourceLine line = course_cpu::here()) {                   \
    return NAME##_sync(__activemask(line), predicate, line);                                       \
  }
COURSE_CPU_OLD_SHUFFLE(__shfl, int)
COURSE_CPU_OLD_SHUFFLE(__shfl_up, unsigned)
COURSE_CPU_OLD_SHUFFLE(__shfl_down, unsigned)
COURSE_CPU_OLD_SHUFFLE(__shfl_xor, int)
COURSE_CPU_OLD_VOTE(unsigned, __ballot)
COURSE_CPU_OLD_VOTE(int, __any)
COURSE_CPU_OLD_VOTE(int, __all)
#undef COURSE_CPU_OLD_SHUFFLE
#undef COURSE_CPU_OLD_VOTE
#undef COURSE_CPU_OLD
#endif
