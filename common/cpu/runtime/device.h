// Devices and their streams, as data; the begin and the end of an API call.
#pragma once

#include "course_cpu/types.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace course_cpu {

struct Stream;
struct Capture;

struct Device {
  int index;                        // among the visible ones
  int bus;                          // among all
  cudaError_t sticky = cudaSuccess; // set by a fault in a kernel; ends the use of this device
  size_t capacity;                  // bytes
  int processors;                   // as it says; threads that run blocks may be fewer
  size_t used = 0;                  // bytes; guarded by allocations_mutex
  size_t shared_opt_in = 0;         // bytes of dynamic shared memory that a launch may ask for
                                    // beyond 48 KiB: the most that any function was allowed
  std::vector<bool> peers;          // true if access to device i is enabled
  std::shared_ptr<Stream> default_stream;       // the legacy one
  std::vector<std::shared_ptr<Stream>> streams; // all, in order of creation
};

// A point in a stream: after its first `number` operations.
struct Mark {
  std::shared_ptr<Stream> stream;
  std::uint64_t number = 0;
};

struct Operation {
  std::function<void()> work;
  std::vector<Mark> after;    // must be reached first; the stream's own order comes on top
  std::uint64_t sequence;     // order of queueing, over all streams
  bool always;                // runs after a sticky error too
  std::function<void()> meet; // runs before the work, and may make other streams advance; or empty
};

// A queue of work: whoever must wait runs it. So nothing happens before the last legal moment, and
// a program that forgot to wait reads what was there before. Only where the host has called nothing
// for a while, a thread of the runtime goes on in its place.
struct Stream {
  Device &device;
  unsigned flags = cudaStreamDefault;
  std::deque<Operation> pending;
  std::uint64_t issued = 0, done = 0; // operations
  bool running = false;               // some thread runs the first pending operation:
  std::thread::id runner;             // this one
  bool destroyed = false;
  std::shared_ptr<Capture> capture; // that records the work in place of queuing it
  std::vector<size_t> frontier;     // the nodes after which that work comes

  const std::uint64_t number; // of those created before

  explicit Stream(Device &device);
  bool blocking() const { return !(flags & cudaStreamNonBlocking); }
};

std::vector<Device> &devices(); // those that COURSE_CPU_DEVICES and CUDA_VISIBLE_DEVICES leave
Device &current_device();       // of the calling host thread, or of the stream whose work it runs
cudaError_t record_error(cudaError_t error);
cudaError_t standing_error(); // stops calls: no device, a host callback, a sticky error
cudaError_t access_error();   // the same without the sticky one
size_t host_capacity();       // bytes that pinned memory may take: half of what was free at start

// Runs one API call: standing errors come first, and what it returns is what cudaGetLastError
// gives. A call that only asks which devices there are passes access_error().
template <class Body>
cudaError_t api_call(const Body &body, cudaError_t standing = standing_error()) {
  return record_error(standing != cudaSuccess ? standing : body());
}

bool device_exists(int device);

// Runs an API call that names a device.
template <class Body>
cudaError_t with_device(int device, const Body &body, cudaError_t standing = standing_error()) {
  return api_call(
      [&] { return device_exists(device) ? body(devices()[device]) : cudaErrorInvalidDevice; },
      standing);
}

// Ends the use of the current device: every later call that needs it returns the error.
void set_sticky_error(cudaError_t error);

extern __thread const Stream *running_stream; // whose work this thread runs, or nullptr
extern __thread bool host_callback_runs;      // CUDA forbids API calls there

} // namespace course_cpu
