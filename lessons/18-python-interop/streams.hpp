// Streams of other libraries: a number in Python. CuPy: stream.ptr, PyTorch: stream.cuda_stream,
// Numba: int(stream). 0 and 1 are the default stream, 2 is the calling thread's own.
#pragma once

#include "lessons/18-python-interop/errors.hpp"

#include <cstdint>

inline cudaStream_t stream_of(std::uintptr_t handle) {
  return reinterpret_cast<cudaStream_t>(handle);
}

// [order]
// What is queued on `reader` from now on begins when the work that is now on `writer` has ended.
// The host waits for neither.
inline void order(cudaStream_t writer, cudaStream_t reader) {
  cudaEvent_t written;
  THROW_ON_ERROR(cudaEventCreateWithFlags(&written, cudaEventDisableTiming));
  const int recorded = cudaEventRecord(written, writer);
  const int waits = cudaStreamWaitEvent(reader, written);
  cudaEventDestroy(written); // CUDA keeps it until nobody waits for it
  throw_on_error(recorded, "cudaEventRecord(written, writer)");
  throw_on_error(waits, "cudaStreamWaitEvent(reader, written)");
}
// [end]
