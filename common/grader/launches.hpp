// What becomes of the launches of a worker; also the request says so, by the enumerator's number.
#pragma once

namespace course {

enum class Launches {
  run,
  do_nothing, // each succeeds, and its kernel does not run
  fail        // each is refused: too much shared memory, which is cudaErrorInvalidValue
};

} // namespace course
