// Shared by device.cpp, memory.cpp, copy.cpp, stream.cpp and event.cpp: devices, streams, and the
// begin and the end of an API call.
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

// Bytes of memory that launches of graphs have taken; guarded by allocations_mutex.
struct GraphMemory {
  size_t now = 0, used_high = 0, reserved_high = 0; // the most since the program set it to 0
};

struct Device {
  int index;                        // among the visible ones
  int bus;                          // among all
  cudaError_t sticky = cudaSuccess; // set by a fault in a kernel; ends the use of this device
  size_t capacity;                  // bytes
  int processors;                   // as it says; threads that run blocks may be fewer
  size_t used = 0;                  // bytes; guarded by allocations_mutex
  size_t shared_opt_in = 0;         // bytes of dynamic shared memory that a launch may ask for
                                    // beyond 48 KiB: the most that any function was allowed
  unsigned flags = 0;
  GraphMemory graph_memory;
  std::vector<bool> peers;                      // true if access to device i is enabled
  std::shared_ptr<Stream> default_stream;       // the legacy one
  std::vector<std::shared_ptr<Stream>> streams; // all, in order of creation
};

// ---- device.cpp ----

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

// ---- stream.cpp, stream_calls.cpp ----

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
  int priority = 0;
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

std::shared_ptr<Stream> add_stream(Device &device, unsigned flags, int priority);
cudaError_t create_stream(cudaStream_t *handle, unsigned flags, int priority);

// The stream of a handle, the default one for nullptr; empty for a handle that names none.
std::shared_ptr<Stream> find_stream(cudaStream_t handle);

// Queues work and returns the point after it; where the stream is captured, records it.
enum class OnError { skip, run };
Mark enqueue(const std::shared_ptr<Stream> &stream, cudaGraphNodeType type,
             std::function<void()> work, OnError on_error = OnError::skip,
             std::vector<Mark> after = {}, std::function<void()> meet = {});
// The same, of a kernel, or of what is never captured.
inline Mark enqueue(const std::shared_ptr<Stream> &stream, std::function<void()> work,
                    OnError on_error = OnError::skip, std::vector<Mark> after = {},
                    std::function<void()> meet = {}) {
  return enqueue(stream, cudaGraphNodeTypeKernel, std::move(work), on_error, std::move(after),
                 std::move(meet));
}

bool reached(const Mark &mark);
void finish(const Mark &mark);   // runs what must run before the mark, and no more
bool advance(const Mark &mark);  // the same, for work that waits and not for the host; false: it
                                 // waits for what this very thread is running
bool query(const Mark &mark);    // the same as reached, for the host; if not, runs one operation
void finish_all(Device &device); // runs all that is queued
bool in_host_callback();         // CUDA forbids API calls there
bool is_looker();                // the thread that runs what nobody waits for
const Stream *running_stream();  // whose work this thread runs; nullptr when it runs none
void add_default_stream(Device &device);

// ---- allocations.cpp ----

enum class Place { pageable, pinned, device, managed };

struct Location {
  Place place = Place::pageable;
  int device = -1;
  char *base = nullptr; // of the allocation
  size_t size = 0;      // bytes from the pointer to the allocation's end
};

Location locate(const void *pointer);
size_t known_bytes(const void *start, size_t bytes); // how many of them are memory that CUDA knows
void free_all(Device &device);                       // for cudaDeviceReset
bool kernels_keep(const void *pointer);              // in memory that CUDA knows
// __device__ variables: course_cpu/symbols.h
void add_symbol(const void *address, size_t bytes);
void drop_symbol(const void *address);
void give_symbol(const void *address);

// ---- copy.cpp ----

void copy_bytes(void *to, const void *from, size_t bytes); // large ones on all cores
void fill_bytes(void *to, int value, size_t bytes);

// ---- settings ----

// The value of an environment variable that must be a whole number of at least `least`, else
// `otherwise` where it is not set. Another value ends the program with a message.
long long setting(const char *name, long long least, long long otherwise);

} // namespace course_cpu
