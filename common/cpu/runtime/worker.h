// An OS thread's state to run blocks: stacks, fibers, warps.
#pragma once

#include "course_cpu/warp.h"
#include "observer.h"
#include "runtime.h"

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace course_cpu {

// Memory for stacks, each with a page below it that nobody may touch.
class Stacks {
public:
  explicit Stacks(size_t stack_bytes) : stack_bytes(stack_bytes) {}
  ~Stacks();
  Stacks(const Stacks &) = delete;
  Stacks &operator=(const Stacks &) = delete;

  void reserve(size_t count); // frees what was there
  // One past the highest byte. Stacks start at different offsets in their page: else their tops
  // would share few cache lines.
  char *top(size_t number) const { return memory + (number + 1) * stride - number * 5 % 64 * 64; }
  bool guards(const void *address) const; // the address lies in a page below a stack
  // Such a page is met by the stack above it, or by one who goes on past the end of the one below:
  // whether `top`, that of the stack that runs, is in the latter.
  bool is_past_end(const void *address, const void *top) const;
  bool holds(const void *address) const;

private:
  size_t stack_bytes, stride = 0, count = 0, mapped_bytes = 0;
  char *memory = nullptr;
};

// Dynamic shared memory. It ends where memory ends, so that overruns show.
class SharedArena {
public:
  SharedArena() = default;
  ~SharedArena();
  SharedArena(const SharedArena &) = delete;
  SharedArena &operator=(const SharedArena &) = delete;

  char *get(size_t bytes);                 // nullptr for 0
  bool overrun(const void *address) const; // the address lies just past the end

private:
  size_t mapped_bytes = 0;
  char *memory = nullptr;
};

struct Warp {
  Meeting *meetings; // that lanes wait at
  unsigned gone;     // lanes that have returned, or never were
};

// Room on each stack for the tools: a thread begins 1 to tool_steps steps below its top.
constexpr size_t tool_step = 1 << 10, tool_steps = 17, tool_room = tool_step * (tool_steps + 1);

struct Worker {
  // The chunk of a grid that runs.
  Grid *grid = nullptr;
  size_t first = 0, past_last = 0;
  uint3 block_index{0, 0, 0};
  void *home = nullptr; // the stack of the operating system's thread, to which all returns

  // A fault that ended the chunk.
  cudaError_t error = cudaSuccess;
  std::string message;

  Stacks direct{(size_t{1} << 20) + tool_room};
  Stacks stacks{(size_t{128} << 10) + (tools::on ? tool_room : 0)};
  SharedArena shared;
  dim3 block_size{0, 0, 0};        // that `fibers` and `positions` are made for
  std::vector<Fiber> fibers;       // by rank
  std::vector<unsigned> positions; // ranks in the adversary's order
  char *thread_top = nullptr;      // for the tools: where its part of the direct stack ends
  size_t threads_begun = 0;        // for the tools, in direct mode
  unsigned position = 0;           // of the thread that runs, in direct mode of that order
  std::uint64_t shuffles = 0;      // of the block so far

  // The block, once fibers run.
  Fiber *keeper = nullptr;  // the fiber on the direct stack
  unsigned live = 0;        // threads that have not returned
  bool other_lines = false; // those at the barrier name different lines
  bool for_grid = false;    // the barrier is one of the whole grid
  Warp warps[32];
  Fiber *paused = nullptr, *last_paused = nullptr; // that gave way: go on when no other can
  unsigned meeting_lanes = 0;                      // that wait at meetings
  Meeting *gathering = nullptr;                    // meetings that end when nobody else can run
  unsigned turns = 0; // how often those that gave way have gone on while some gather
  std::deque<Meeting> all_meetings;
  Meeting *free_meetings = nullptr;
  size_t room_above_fibers = 0; // for the tools, of this block: see promote()
};

Worker &worker();

// The next blocks of the grid that nobody has taken yet; false: there are none.
bool take_chunk(Grid &grid, size_t &first, size_t &past_last);

// Runs these blocks, then chunks that it takes, on the direct stack. False when a fault ended it;
// the fault is in the worker.
bool run_chunks(Grid &grid, size_t first, size_t past_last);

// Goes back to run_chunks, which returns false.
[[noreturn]] void abandon(cudaError_t error, std::string message);

// Waits until all blocks of the cooperative grid are there. Returns why they will not come: "" when
// the grid was abandoned.
std::optional<std::string> wait_for_blocks(Grid &grid);

// warp.cpp: a lane has returned; ends the meetings that waited for it only.
void complete_meetings(Worker &worker, Warp &warp);
// Ends the meeting that takes whoever came; its lanes are ready then.
void end_gathering(Worker &worker);

// faults.cpp: why no thread of the block can run on.
std::string describe_stuck(const Worker &worker);
std::string describe_stuck_grid(const Worker &worker, const std::string &why);
// "(1, 0, 0)"
std::string text(const uint3 &index);

// Faults of the processor become CUDA errors; for each thread that runs blocks.
void catch_faults();
// "kernel k launched at f.cu:3, block (0, 0, 0)" and, where it is given, ", thread (1, 0, 0)".
std::string describe_place(const Grid &grid, const uint3 *thread);

} // namespace course_cpu
