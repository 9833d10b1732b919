// The effect of a worker's launches; the request holds the enumerator's number.
#pragma once

namespace course {

enum class Launches {
  run,
  do_nothing, // each succeeds, and its kernel does not run
  fail,       // each is refused: too much shared memory, which is cudaErrorInvalidValue
  hidden,     // their kernels run, and host code sees arrays through a mask: device_guard.hpp
  inputs_hidden,
  results_hidden
};

inline bool hides_inputs(Launches its) {
  return its == Launches::hidden || its == Launches::inputs_hidden;
}
inline bool hides_results(Launches its) {
  return its == Launches::hidden || its == Launches::results_hidden;
}
inline bool hides(Launches its) { return hides_inputs(its) || hides_results(its); }

} // namespace course
