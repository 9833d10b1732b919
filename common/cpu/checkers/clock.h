// Time as the tools count it, and which operations are ordered.
//
// The clock ticks at everything that orders accesses. Blocks, operations of streams and host code
// run one at a time, so a tick belongs to one operation, or to the host between two of them. Every
// operation, and the host, knows up to which operation of each stream the past is its own: a vector
// clock over streams.
//
// Ordered are two accesses of one thread; of one block with a barrier between them; of one warp
// with a __syncwarp of both lanes between them, not a shuffle or a vote; of a cooperative grid with
// its barrier between them. An atomic after a __threadfence is a release, and the atomic that reads
// its value is an acquire, also through further atomics (threads.cpp). CUDA's memory model asks for
// a fence after that atomic as well; the tools do not. Events, synchronisations and the default
// stream order operations; cudaMallocAsync and cudaFreeAsync are operations, and cudaStreamDestroy
// waits for none. Two atomics never race. volatile counts as atomic in global memory; in shared
// memory a volatile write does after a fence, and without one it orders nothing. A fence covers
// what its thread did, and what barriers of the block and of its warp ordered before it. What has
// the scope of a block counts within the block only. A host that reads a word of pinned or managed
// memory as volatile has what the kernel wrote before its __threadfence_system() and that word. An
// atomic of cuda:: with the scope of the device counts as one of the system.
#pragma once

#include "shadow.h"

#include "course_cpu/execution.h"

#include <memory>
#include <mutex>

namespace course_cpu {
namespace tools {

extern Tick now;

using VectorClock = std::vector<std::uint64_t>; // by number of a stream

struct Operation {
  unsigned stream;      // its number
  std::uint64_t number; // in that stream
  VectorClock before;   // ticks that are ordered before it
  Tick queued;          // host code up to this tick is ordered before it
  Tick all_before;      // everything up to this tick is ordered before it
  Tick begin = 0;
  Calls calls;                    // of the host that queued it
  const char *what = "operation"; // in words
  std::string kernel, file;
  int line = 0; // of the launch; 0: no kernel
  dim3 grid, block;
  bool host_learns = false; // of its end
};

// Operation::what of NCCL and cuBLAS, when they read memory.
inline constexpr char library_call[] = "call of a library";

// A time span of one operation, or of the host if `operation` is empty.
struct Segment {
  Tick begin;
  std::shared_ptr<Operation> operation;
  bool host_was_here; // the host used memory that has a shadow
};

extern std::recursive_mutex timeline_mutex; // held while an operation runs
Operation &current_operation();
Segment segment_at(Tick tick);

// Everything up to this tick is ordered before the current operation; more may be.
Tick floor_of_operation();
bool ordered_before_operation(Tick tick);
bool ordered_before_host(Tick tick);
void host_is_here();
bool in_operation(); // on the calling thread

Calls calls_of_host(); // the calling functions

} // namespace tools
} // namespace course_cpu
