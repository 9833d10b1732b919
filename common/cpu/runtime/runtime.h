// What all of the runtime shares: settings, and objects of a thread.
#pragma once

#include "course_cpu/execution.h"

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>

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

// The value of an environment variable that must be a whole number of at least `least`, else
// `otherwise` where it is not set. Another value ends the program with a message.
long long setting(const char *name, long long least, long long otherwise);
long long whole_number(const char *name, const std::string &text, long long least);

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

} // namespace course_cpu
