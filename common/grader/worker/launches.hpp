// The effect of a worker's launches; the request holds the enumerator's number.
#pragma once

namespace course {

enum class Launches {
  run,
  do_nothing, // each succeeds, and its kernel does not run
  fail,       // each is refused: too much shared memory, which is cudaErrorInvalidValue
  hidden      // their kernels run, and host code sees arrays through a mask: device_guard.hpp
};

} // namespace course
