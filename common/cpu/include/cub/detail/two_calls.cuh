// CUB's two calls for work that one thread does.
#pragma once

#include "../../course_cpu/callables.h"
#include "../../cuda_runtime.h"

#include <iterator>

COURSE_CPU_BOTH_SPACES

namespace course_cpu {

template <class Iterator> using ValueOf = typename std::iterator_traits<Iterator>::value_type;

cudaError_t record_error(cudaError_t error); // for cudaGetLastError; returns it

// The first call, without temporary storage, only says how many bytes the second one needs; that
// one queues body(storage).
template <class Body>
cudaError_t two_calls(const char *name, void *storage, size_t &storage_bytes, size_t needed,
                      cudaStream_t stream, const Body &body) {
  if (needed == 0)
    needed = 1; // cudaMalloc gives a null pointer for 0 bytes, which is the first call again
  if (!storage) {
    storage_bytes = needed;
    return cudaSuccess;
  }
  if (storage_bytes < needed)
    return record_error(cudaErrorInvalidValue);
  const Site site{name, __FILE__, __LINE__};
  const Configuration configuration(1, 1, 0, stream);
  if (!launch_allowed(configuration, site))
    return cudaPeekAtLastError();
  enqueue(stream, [=] { run_grid(site, configuration, [=] { body(storage); }); });
  return cudaSuccess;
}

} // namespace course_cpu

COURSE_CPU_BOTH_SPACES_END
