// The runtime's reports to the tools: memcheck, racecheck, initcheck, synccheck, each written once:
// a function of the checkers, and in the plain build an empty one, of which nothing is left.
//
// The parts: shadow.h (memory and what is known of each word), clock.h (which operations are
// ordered), access.cpp (one load or store), races.cpp, race_report.cpp, outside.cpp (what may be
// wrong with it), symbols.cpp (addresses that are the host's), threads.cpp (what orders
// the threads of a kernel), waiting.cpp (threads that wait in loops), results.cpp (errors that
// nobody looks at), host_memory.cpp (where the host's memory ends), count.h and requests.h (counted
// work), report.h (faults in words), hooks.cpp (the functions that g++ calls at each access).
#pragma once

#include "course_cpu/types.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace course_cpu {

struct Configuration;
struct Grid;
struct Meeting;
struct Site;
struct SourceLine;
struct Mark;
struct HostWork;
struct Work;
enum class Place;

namespace tools {

#ifdef COURSE_CPU_INSTRUMENTED

constexpr bool on = true;
#define TELL(...) __VA_ARGS__
#define ASK(...) __VA_ARGS__

// Host memory that work will use later, with what it belongs to: an array of malloc or new, or a
// function that runs.
class HostMemory {
public:
  HostMemory() = default;
  explicit HostMemory(const void *host);
  bool is_gone(const char *what, bool written) const; // and reported; asked by that work

private:
  const char *address = nullptr;
  std::thread::id user;
  std::vector<unsigned> calls; // stack of the call that handed it over
  size_t number = 0;
  std::uintptr_t function = 0, top = 0; // of the function's part of the stack
};

#else

constexpr bool on = false;
#define TELL(...)                                                                                  \
  inline __VA_ARGS__ {}
#define ASK(...)                                                                                   \
  inline __VA_ARGS__ { return {}; }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"

struct HostMemory {
  HostMemory() = default;
  explicit HostMemory(const void *) {}
  bool is_gone(const char *, bool) const { return false; }
};

#endif

// ---- allocations.cpp: device, managed and pinned memory lies in the range that has a shadow ----
ASK(char *take(size_t bytes));                    // nullptr: no room
TELL(void give_back(char *memory, size_t bytes)); // its addresses are not used again
TELL(void allocated(char *base, size_t bytes, Place place, int device));
TELL(void freed(char *base));
TELL(void free_refused(const void *pointer));              // cudaFree got what it cannot free
ASK(char *take_of_heap(size_t bytes, const void *caller)); // in a kernel; each block anew
TELL(void give_back_to_heap(char *memory, const void *caller));
TELL(void registered(char *memory, size_t bytes)); // by cudaHostRegister
TELL(void unregistered(char *memory));

// A stream or an event, in words.
TELL(void created(const char *what, const void *handle));
TELL(void destroyed(const char *what, const void *handle));
TELL(void all_destroyed());

// In the stream of cudaMallocAsync and of cudaFreeAsync: the memory is there from now on, or no
// more.
TELL(void begins(char *base, size_t bytes));
TELL(void ends(char *base, size_t bytes));

// ---- device.cpp, launch.cpp: errors ----
TELL(void returned(cudaError_t error)); // by a function of CUDA; success, too
TELL(void error_asked_for());           // cudaGetLastError, cudaPeekAtLastError
TELL(void error_reported());            // the error that the running call will return
// `bound`: of its __launch_bounds__, if the block is larger; else 0.
TELL(void launch_refused(const Configuration &configuration, const Site &site, int bound));

// ---- symbols.h, launch.cpp: which addresses of __device__ variables host code has ----
TELL(void symbol_given(const void *variable));         // by cudaGetSymbolAddress
TELL(void reaches_kernels(void *start, size_t bytes)); // the arguments of a launch

// ---- copy.cpp: one row of a copy or of a fill; libraries: what a call reads, what it writes ----
TELL(void copied(const void *to, const void *from, size_t bytes));
TELL(void filled(const void *to, size_t bytes));
TELL(void has_copied(void *to, const void *from, size_t bytes));
ASK(size_t room_at(const void *host)); // bytes to the end of the host's array; 0: not known
TELL(void host_array(const void *start, size_t bytes)); // in an allocation; 0 bytes: no longer
TELL(void tell_copy(const std::string &why));           // by the calling function
TELL(void taken(const void *from,
                size_t bytes)); // by a library, which needs values, as no copy does

// ---- stream.cpp ----
// `point` is the one after the operation; it follows those of `after`, too.
TELL(void queued(std::uint64_t operation, const Mark &point, const std::vector<Mark> &after));
TELL(void begin_operation(std::uint64_t operation));
TELL(void end_operation());
TELL(void host_waits()); // for work that is not done
TELL(void host_launches(const Site &site));
ASK(bool counts_waits());
TELL(void host_may_learn()); // by other means than CUDA, that the operation that runs ends
TELL(void host_waited(const Mark &point));

// ---- pool.cpp, block.cpp, warp.cpp ----
TELL(void begin_kernel(const Grid &grid));
TELL(void end_kernel());
// Only the OS thread that holds the baton runs blocks.
TELL(void take_baton());
TELL(void pass_baton());
TELL(void begin_block(size_t number)); // of the grid, x fastest
TELL(void begin_thread(unsigned rank));
TELL(void end_block());
ASK(char *dynamic_shared(size_t bytes));
TELL(void barrier_reached()); // by the running thread
TELL(void barrier_opened());
TELL(void grid_barrier_reached()); // by a block
TELL(void grid_barrier_opened());  // and then, by each block:
TELL(void grid_barrier_passed());
TELL(void lanes_met(unsigned warp, const Meeting &meeting));
TELL(void multiplied(bool sums_in_half)); // by mma_sync of a warp
// A fault that ends the kernel. False: the tool is not asked for; it is reported as usual.
ASK(bool threads_stuck(const std::string &message));
ASK(bool wrong_mask(const SourceLine &line, const std::string &message));
// At this address in the code; nullptr: in a function of the runtime that the kernel called.
ASK(bool kernel_ended(const void *code, const std::string &message));
ASK(std::string line_of_interrupted(const void *code)); // in the signal's handler
// What is wrong with an address in a kernel that is the host's; "": it is none of these.
ASK(std::string host_address_text(const void *address));
TELL(void add_counted(std::vector<Work> &kernels));
TELL(void add_counted(HostWork &work));

#undef TELL
#undef ASK
#ifndef COURSE_CPU_INSTRUMENTED
#pragma GCC diagnostic pop
#endif

} // namespace tools
} // namespace course_cpu
