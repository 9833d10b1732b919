// How a kernel runs on the CPU: the launch, the built-in variables, the barrier.
//
// The threads of a block run one after the other, in a loop, on one stack: "direct mode". The first
// thread that meets a barrier keeps that stack; the others get stacks of their own and become
// fibers. A barrier then stops its fiber and continues the next one that can run. So a kernel
// without barriers costs no more than a loop. What is inlined here is what each thread pays; the
// rest is in runtime/block.cpp (one block) and runtime/pool.cpp (the grid).
#pragma once

#if __cplusplus < 201703L
#error device functions need C++17 here: compile this file with -std=c++17
#endif

#include "configuration.h"
#include "switch_stack.h"

#include <atomic>
#include <climits>
#include <cstddef>

// std::function alone: <functional> brings std::vector, which a program would then use without its
// header, and NVIDIA's nvcc would refuse it.
#if __has_include(<bits/std_function.h>)
#include <bits/std_function.h>
#else
#include <functional>
#endif

// If only one file of a program uses the built-in variables, they are that file's own: the
// compiler then knows that no pointer of a kernel points here, keeps them in registers, and drops
// the stores that nobody reads. So the runtime does not touch them; the code below sets them, and
// threadIdx anew after each wait.
#if defined __CUDA__
#define COURSE_CPU_OWN extern __device__
#elif defined COURSE_CPU_ONE_FILE
#define COURSE_CPU_OWN static __thread
#else
#define COURSE_CPU_OWN inline __thread
#endif
COURSE_CPU_OWN uint3 threadIdx, blockIdx;
COURSE_CPU_OWN dim3 blockDim, gridDim;
#ifdef __CUDA__
constexpr int warpSize = 32; // which both execution spaces have
#else
extern const int warpSize; // 32; as in CUDA it is no constant expression
#endif

namespace course_cpu {

// ---- launch ------------------------------------------------------------------------------------

// True if the current device accepts the launch; if not, cudaGetLastError gives the reason.
// `kernel`: its address; nullptr: not known.
bool launch_allowed(const Configuration &configuration, const Site &site,
                    const void *kernel = nullptr);
void add_bounds(const void *kernel, unsigned threads); // of its __launch_bounds__

// True in a thread of a kernel. That does not change within a function, so a loop over threads asks
// once and can be vectorised.
[[gnu::const]] bool in_kernel();

#ifdef COURSE_CPU_INSTRUMENTED
void result_dropped(const char *function); // by the statement that has just called it
#endif

// Ends the grid: reports `message` with kernel, block and thread, and makes `error` sticky. For a
// caller in a kernel.
[[noreturn]] void fault(cudaError_t error, const char *message, uint3 thread);
[[noreturn]] void assertion_failed(const char *expression, const char *file, unsigned line,
                                   const char *function, uint3 thread);
[[noreturn]] inline void fault(cudaError_t error, const char *message) {
  fault(error, message, threadIdx);
}

// Queues work on a stream.
void enqueue(cudaStream_t stream, std::function<void()> kernel);

struct Grid;

// The work of each thread of a grid: a functor of any type.
struct GridBody {
  const void *functor; // the kernel with its arguments
  size_t bytes;
  size_t kernel_bytes; // the first ones, which may hold the kernel's address
  void *(*copy)(const void *functor);
  void (*destroy)(void *functor);                                       // which copy() has made
  void (*run_blocks)(const Grid &grid, size_t first, size_t past_last); // on this stack
  void (*run_fiber)(); // the start of a fiber: one thread of the block
};

// A launch that runs: what pool.cpp and block.cpp know of it.
struct Grid {
  const Site &site;
  const Configuration &configuration;
  GridBody body;
  bool cooperative = false;           // all blocks at once, which can wait for each other
  size_t launch = 0;                  // how many grids ran before: seeds differ between launches
  size_t next_block = 0, chunk = 0;   // the first that nobody has taken; how many to take
  std::atomic<bool> abandoned{false}; // a thread met a fault
  cudaError_t error = cudaSuccess;    // of that fault
};

// Runs the grid to its end; a fault is reported and made sticky.
void run(Grid &grid);

// Queues a grid on the configuration's stream; for a caller in a kernel, as a child.
void queue_grid(const Site &site, const Configuration &configuration, const GridBody &body,
                bool cooperative = false);

// One CUDA thread that has, or may get, a stack of its own.
struct Fiber {
  void *stack;     // its stack pointer
  Fiber *next;     // in the list it waits in
  uint3 index;     // threadIdx
  unsigned rank;   // index as one number, x fastest: 32 consecutive ranks are a warp
  SourceLine line; // of the barrier it waits at
};

// The block that this OS thread runs.
struct Block {
  Fiber *running;      // nullptr in direct mode
  Fiber *ready;        // those that can run, in order
  Fiber *last_waiting; // at the barrier; the list starts at `gate`
  Fiber gate;
  SourceLine line;                    // of the barrier that those at the gate reached
  const void *body;                   // of the grid: the kernel with its arguments
  bool forward;                       // the order of threads: ascending, or as the adversary has it
  char *shared;                       // dynamic shared memory
  unsigned votes;                     // true arguments of __syncthreads_count so far
  unsigned vote_result, vote_threads; // of the last barrier: true arguments, threads
  size_t room_above; // for the tools: bytes of the stack that the thread leaves free above its part
  struct Worker *worker; // all else that this OS thread keeps
};
extern __thread Block block;

const uint3 *begin_block(size_t number); // its index; nullptr: the grid is abandoned
Fiber *promote(uint3 caller);            // direct mode ends: the caller becomes a fiber
Fiber *next_ready();              // if block.ready is empty: opens the barrier, or reports why not
void other_line(SourceLine line); // the caller reached a barrier of another line than block.line
void end_of_fibers();             // the thread on the direct stack is through: runs the others
uint3 begin_thread(unsigned position); // the index of the thread there in the adversary's order
[[noreturn]] void end_fiber();         // the thread has returned from the kernel

// True after a thread of the block has met a barrier: then direct mode is over. block.running tells
// that as well, but a kernel's pointers may point there.
COURSE_CPU_OWN bool fibers_run;

// The compiler warns of a kernel's code where the kernel stands; of the copies that are inlined
// here it need not say it again, with all that they are inlined into.
#if defined __GNUC__ && !defined __clang__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Warray-bounds"
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#pragma GCC diagnostic ignored "-Waggressive-loop-optimizations"
#endif

// A kernel that is part of each loop over threads is fast and takes long to compile; with -O1, and
// for the tools, it is compiled once, and called for each thread.
#if defined COURSE_CPU_INSTRUMENTED || defined COURSE_CPU_COMPILE_FAST
#define COURSE_CPU_FLATTEN
constexpr bool calls_each_thread = true;
#else
#define COURSE_CPU_FLATTEN __attribute__((flatten))
constexpr bool calls_each_thread = false;
#endif

template <class Body> __attribute__((noinline)) void run_thread() {
  (*static_cast<const Body *>(block.body))();
}

#ifdef COURSE_CPU_INSTRUMENTED
// On a part of the stack of its own: else a local variable of one thread would lie where another
// thread has the same one.
template <class Body> __attribute__((noinline)) void run_thread_apart() {
  char *volatile room = static_cast<char *>(__builtin_alloca(block.room_above));
  run_thread<Body>();
  static_cast<void>(room);
}
#endif

template <class Body> void run_fiber() {
  threadIdx = block.running->index;
  run_thread<Body>();
  end_fiber();
}

// The threads of a block until all have returned or one of them waits. The loop counts the index in
// the grid, blockIdx.x * blockDim.x + threadIdx.x, and counts it with an int: what a kernel
// computes is then the counter itself, which cannot wrap, and g++ makes vectors of the loop.
template <class Body> void run_forward(const Body &body) {
  const int first = blockIdx.x * blockDim.x, past_last = first + blockDim.x;
  for (unsigned z = 0; z < blockDim.z; ++z) {
    threadIdx.z = z;
    for (unsigned y = 0; y < blockDim.y; ++y) {
      threadIdx.y = y;
      for (int x = first; x < past_last; ++x) {
        threadIdx.x = x - first;
        if constexpr (calls_each_thread)
          run_thread<Body>();
        else
          body();
        if (fibers_run)
          return;
      }
    }
  }
}

// The same in the adversary's order and for indices of any size: with a call for each thread.
template <class Body> void run_by_calls() {
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  for (unsigned position = 0; position < threads && !fibers_run; ++position) {
    threadIdx = begin_thread(position);
#ifdef COURSE_CPU_INSTRUMENTED
    run_thread_apart<Body>();
#else
    run_thread<Body>();
#endif
  }
}

template <class Body>
COURSE_CPU_FLATTEN void run_blocks(const Grid &grid, size_t first, size_t past_last) {
  // A copy, which can stay in registers.
  const Body body = *static_cast<const Body *>(grid.body.functor);
  gridDim = grid.configuration.grid;
  blockDim = grid.configuration.block;
  for (size_t number = first; number < past_last; ++number) {
    const uint3 *const index = begin_block(number);
    if (!index)
      return;
    blockIdx = *index;
    fibers_run = false;
    // No block is larger than 1024; with constants g++ also knows that unsigned indices fit an int.
    if (block.forward && blockDim.x <= 1024 && blockIdx.x * blockDim.x <= INT_MAX - 1024u)
      run_forward(body);
    else
      run_by_calls<Body>();
    if (fibers_run)
      end_of_fibers();
  }
}

#if defined __GNUC__ && !defined __clang__
#pragma GCC diagnostic pop
#endif

template <class Body> GridBody body_of(const Body &body, size_t kernel_bytes = 0) {
  return {
      &body,
      sizeof body,
      kernel_bytes,
      [](const void *functor) -> void * { return new Body(*static_cast<const Body *>(functor)); },
      [](void *functor) { delete static_cast<Body *>(functor); },
      &run_blocks<Body>,
      &run_fiber<Body>};
}

// Calls thread_body() once for every thread of the grid.
template <class Body>
void run_grid(const Site &site, const Configuration &configuration, const Body &thread_body) {
  Grid grid{site, configuration, body_of(thread_body)};
  run(grid);
}

// asm in device code.
void inline_ptx() __attribute__((error(
    "asm in device code is PTX, the assembly language of NVIDIA's GPUs, which the CPU backend does "
    "not have: CUDA C++ has functions for most instructions, such as __ldg, __popc, "
    "nvcuda::wmma")));

// ---- shared memory -----------------------------------------------------------------------------

template <class T> T *dynamic_shared() { return reinterpret_cast<T *>(block.shared); }

// `extern __shared__ T x[];` outside a function.
template <class T> struct DynamicShared {
  operator T *() const { return dynamic_shared<T>(); }
  template <class U> explicit operator U *() const { return dynamic_shared<U>(); }
};

// ---- barrier -----------------------------------------------------------------------------------

COURSE_CPU_INLINE Fiber *running_fiber() {
  Fiber *me = block.running;
  if (__builtin_expect(me == nullptr, 0)) {
    me = promote(threadIdx);
    fibers_run = true;
  }
  return me;
}

#ifdef COURSE_CPU_INSTRUMENTED

// In the instrumented build these are no part of the program's code, in which each access is looked
// at.
void continue_next(Fiber *me);
void barrier(SourceLine line);

// A `__shared__` variable; each block has its own memory for it.
struct SharedVariable {
  const char *name;
  size_t bytes;
  size_t offset = 0; // in that memory; 0: not known yet

  constexpr SharedVariable(const char *name, size_t bytes) : name(name), bytes(bytes) {}
  void *find();
};

#else

// Stops `me` and continues the next fiber that can run.
COURSE_CPU_INLINE void continue_next(Fiber *me) {
  Fiber *next = block.ready;
  if (!next)
    next = next_ready();
  block.ready = next->next;
  block.running = next;
  switch_stack(me->stack, next->stack);
}

COURSE_CPU_INLINE void barrier(SourceLine line) {
  Fiber *me = running_fiber();
  me->line = line;
  if (__builtin_expect(line.line != block.line.line || line.nth != block.line.nth ||
                           line.file != block.line.file,
                       0))
    other_line(line);
  block.last_waiting->next = me;
  block.last_waiting = me;
  continue_next(me);
  threadIdx = me->index;
}

#endif

void pause_thread(Fiber *me); // lets the block's other threads run
void prepare_grid_barrier();  // the next barrier is one of all blocks of a cooperative launch
bool in_cooperative_grid();

inline void wait_for_grid(SourceLine line) {
  running_fiber(); // direct mode ends before the runtime counts on a barrier
  prepare_grid_barrier();
  barrier(line);
}

} // namespace course_cpu

// ---- CUDA's functions --------------------------------------------------------------------------

__device__ COURSE_CPU_INLINE void __syncthreads(course_cpu::SourceLine line = course_cpu::here()) {
  course_cpu::barrier(line);
}

__device__ inline int __syncthreads_count(int predicate,
                                          course_cpu::SourceLine line = course_cpu::here()) {
  course_cpu::running_fiber(); // a block starts to count when its first fiber is there
  course_cpu::block.votes += predicate != 0;
  course_cpu::barrier(line);
  return static_cast<int>(course_cpu::block.vote_result);
}

__device__ inline int __syncthreads_and(int predicate,
                                        course_cpu::SourceLine line = course_cpu::here()) {
  const int votes = __syncthreads_count(predicate, line);
  return votes == static_cast<int>(course_cpu::block.vote_threads);
}

__device__ inline int __syncthreads_or(int predicate,
                                       course_cpu::SourceLine line = course_cpu::here()) {
  return __syncthreads_count(predicate, line) != 0;
}

__device__ inline void __nanosleep(unsigned) {
  course_cpu::Fiber *me = course_cpu::running_fiber();
  course_cpu::pause_thread(me);
  threadIdx = me->index;
}
__device__ long long clock64(); // nanoseconds

[[noreturn]] __device__ inline void __trap() {
  course_cpu::fault(cudaErrorLaunchFailure, "called __trap()");
}

// Called by assert(). It is here since the runtime does not know threadIdx, and inlined since each
// file may have a threadIdx of its own. In a kernel the text is CUDA's, and the program goes on
// with cudaErrorAssert.
extern "C" [[noreturn]] COURSE_CPU_INLINE void __assert_fail(const char *expression,
                                                             const char *file, unsigned line,
                                                             const char *function) noexcept {
  course_cpu::assertion_failed(expression, file, line, function, threadIdx);
}
