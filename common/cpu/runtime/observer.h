// The runtime's reports to the tools: memcheck, racecheck, initcheck, synccheck. In the plain build
// nothing is left of them.
//
// The parts: shadow.h (memory and what is known of each word), clock.h (which operations are
// ordered), access.cpp (one load or store), races.cpp, race_report.cpp, outside.cpp (what may be
// wrong with it), symbols.cpp (host addresses of __device__ variables), threads.cpp (what orders
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

// ---- allocations.cpp: device, managed and pinned memory lies in the range that has a shadow ----
char *take(size_t bytes);                   // nullptr: no room
void give_back(char *memory, size_t bytes); // its addresses are not used again
void allocated(char *base, size_t bytes, Place place, int device);
void freed(char *base);
void free_refused(const void *pointer);               // cudaFree got what it cannot free
char *take_of_heap(size_t bytes, const void *caller); // in a kernel; for each block anew
void give_back_to_heap(char *memory, const void *caller);
void registered(char *memory, size_t bytes); // by cudaHostRegister
void unregistered(char *memory);

// In the stream of cudaMallocAsync and of cudaFreeAsync: the memory is there from now on, or no
// more.
void begins(char *base, size_t bytes);
void ends(char *base, size_t bytes);

// ---- device.cpp, launch.cpp: errors ----
void returned(cudaError_t error); // by a function of CUDA; success, too
void error_asked_for();           // cudaGetLastError, cudaPeekAtLastError
void error_reported();            // the error that the running call will return
void launch_refused(const Configuration &configuration, const Site &site);

// ---- symbols.h, launch.cpp: which addresses of __device__ variables host code has ----
void symbol_given(const void *variable);         // by cudaGetSymbolAddress
void reaches_kernels(void *start, size_t bytes); // the arguments of a launch

// ---- copy.cpp: one row of a copy or of a fill; libraries: what a call reads, what it writes ----
void copied(const void *to, const void *from, size_t bytes);
void filled(const void *to, size_t bytes);
void has_copied(void *to, const void *from, size_t bytes);
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
size_t room_at(const void *host); // bytes to the end of the host's array; 0: not known
void host_array(const void *start, size_t bytes); // within an allocation; 0 bytes: no longer
void tell_copy(const std::string &why);           // by the calling function
void taken(const void *from, size_t bytes); // by a library, which other than a copy needs values

// ---- stream.cpp ----
// `point` is the one after the operation; it follows those of `after`, too.
void queued(std::uint64_t operation, const Mark &point, const std::vector<Mark> &after);
void begin_operation(std::uint64_t operation);
void end_operation();
void host_waits(); // for work that is not done
void host_launches(const Site &site);
bool counts_waits();
void host_may_learn(); // by other means than CUDA, that the operation that runs ends
void host_waited(const Mark &point);

// ---- pool.cpp, block.cpp, warp.cpp ----
void begin_kernel(const Grid &grid);
void end_kernel();
void begin_child(); // launched by the kernel that has ended
// The caller's kernel runs code for the runtime, in which memory that is not the kernel's is right.
class Unwatched {
public:
  Unwatched();
  ~Unwatched();
  Unwatched(const Unwatched &) = delete;
  Unwatched &operator=(const Unwatched &) = delete;

private:
  const bool in_kernel;
};
// Only the OS thread that holds the baton runs blocks.
void take_baton();
void pass_baton();
void begin_block(size_t number); // of the grid, x fastest
void begin_thread(unsigned rank);
void end_block();
char *dynamic_shared(size_t bytes);
void barrier_reached(); // by the running thread
void barrier_opened();
void grid_barrier_reached(); // by a block
void grid_barrier_opened();  // and then, by each block:
void grid_barrier_passed();
void lanes_met(unsigned warp, const Meeting &meeting);
void multiplied(bool sums_in_half); // by mma_sync of a warp
// A fault that ends the kernel. False: the tool is not asked for; it is reported as usual.
bool threads_stuck(const std::string &message);
bool wrong_mask(const SourceLine &line, const std::string &message);
// At this address in the code; nullptr: in a function of the runtime that the kernel called.
bool kernel_ended(const void *code, const std::string &message);
std::string line_of_interrupted(const void *code); // in the signal's handler
void add_counted(std::vector<Work> &kernels);
void add_counted(HostWork &work);

#else

constexpr bool on = false;

inline void add_counted(std::vector<Work> &) {}
inline void add_counted(HostWork &) {}
inline char *take(size_t) { return nullptr; }
inline void give_back(char *, size_t) {}
inline void allocated(char *, size_t, Place, int) {}
inline void freed(char *) {}
inline void free_refused(const void *) {}
inline char *take_of_heap(size_t, const void *) { return nullptr; }
inline void give_back_to_heap(char *, const void *) {}
inline void registered(char *, size_t) {}
inline void unregistered(char *) {}
inline void begins(char *, size_t) {}
inline void returned(cudaError_t) {}
inline void error_asked_for() {}
inline void launch_refused(const Configuration &, const Site &) {}
inline void tell_copy(const std::string &) {}
struct HostMemory {
  HostMemory() = default;
  explicit HostMemory(const void *) {}
  bool is_gone(const char *, bool) const { return false; }
};
inline size_t room_at(const void *) { return 0; }
inline void host_array(const void *, size_t) {}
inline void ends(char *, size_t) {}
inline void copied(const void *, const void *, size_t) {}
inline void has_copied(void *, const void *, size_t) {}
inline void symbol_given(const void *) {}
inline void reaches_kernels(void *, size_t) {}
inline void filled(const void *, size_t) {}
inline void taken(const void *, size_t) {}
inline void queued(std::uint64_t, const Mark &, const std::vector<Mark> &) {}
inline void begin_operation(std::uint64_t) {}
inline void end_operation() {}
inline void host_waits() {}
inline void host_launches(const Site &) {}
inline bool counts_waits() { return false; }
inline void host_may_learn() {}
inline void host_waited(const Mark &) {}
inline void begin_kernel(const Grid &) {}
inline void end_kernel() {}
inline void begin_child() {}
struct Unwatched {
  Unwatched() {}
};
inline void take_baton() {}
inline void pass_baton() {}
inline void begin_block(size_t) {}
inline void begin_thread(unsigned) {}
inline void end_block() {}
inline char *dynamic_shared(size_t) { return nullptr; }
inline void barrier_opened() {}
inline void grid_barrier_reached() {}
inline void grid_barrier_opened() {}
inline void grid_barrier_passed() {}
inline void lanes_met(unsigned, const Meeting &) {}
inline void multiplied(bool) {}
inline bool threads_stuck(const std::string &) { return false; }
inline bool wrong_mask(const SourceLine &, const std::string &) { return false; }
inline bool kernel_ended(const void *, const std::string &) { return false; }
inline std::string line_of_interrupted(const void *) { return {}; }

#endif

} // namespace tools
} // namespace course_cpu
