// The interface between the two halves of the runtime. The execution of kernels (block.cpp,
// pool.cpp, order.cpp, faults.cpp) and the API (device.cpp, memory.cpp, stream.cpp, ...) meet here
// and in course_cpu/execution.h.
#pragma once

#include "course_cpu/execution.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>

namespace course_cpu {

// An object of each thread, among its __thread variables. Destructors of other objects may ask for
// it when the thread, or the process, has destroyed it: then there is another one, to the end.
template <class T> T &of_this_thread() {
  static thread_local T *object = nullptr;
  if (!object) {
    alignas(T) static thread_local unsigned char memory[sizeof(T)];
    object = new (memory) T();
    struct Owner {
      ~Owner() {
        object->~T();
        object = nullptr;
      }
    };
    static thread_local Owner owner;
  }
  return *object;
}

// ---- the API offers ----------------------------------------------------------------------------

// Ends the use of the current device: every later call that needs it returns the error.
void set_sticky_error(cudaError_t error);

// ---- the execution offers ----------------------------------------------------------------------

// COURSE_CPU_ORDER: the order of blocks, of the threads of a block and of independent streams.
struct Order {
  enum Kind { forward, reverse, random } kind = forward;
  std::uint64_t seed = 0; // of random
};
const Order &order();

// A number that looks random, the same for the same arguments: splitmix64.
std::uint64_t scramble(std::uint64_t seed, std::uint64_t number);

// How many threads of the operating system run blocks: COURSE_CPU_THREADS, else the cores that this
// process may use.
unsigned pool_size();

// For a caller in a kernel: queues a grid, a copy or a fill that it launches. They run one after
// the other, whatever the stream; but those of cudaStreamTailLaunch after the others.
void queue_child(cudaStream_t stream, std::function<void()> child);

// For a caller in a kernel: runs what its block has launched.
void wait_for_children();

} // namespace course_cpu
