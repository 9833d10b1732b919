// One block: its threads in order, fibers, the barrier.
#include "observer.h"
#include "worker.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <thread>

const int warpSize = 32;

namespace course_cpu {

__thread Block block;

Worker &worker() { return of_this_thread<Worker>(); }

bool in_kernel() { return worker().grid != nullptr; }

bool in_cooperative_grid() { return in_kernel() && worker().grid->cooperative; }

static unsigned count(const dim3 &size) { return size.x * size.y * size.z; }

static unsigned rank_of(const uint3 &index, const dim3 &size) {
  return index.x + size.x * (index.y + size.y * index.z);
}

static bool same(const SourceLine &a, const SourceLine &b) {
  return a.line == b.line && a.nth == b.nth && (a.file == b.file || !std::strcmp(a.file, b.file));
}

// ---- a chunk of blocks -------------------------------------------------------------------------

static void run_on_direct_stack() {
  Worker &self = worker();
  do
    self.grid->body.run_blocks(*self.grid, self.first, self.past_last);
  while (take_chunk(*self.grid, self.first, self.past_last));
  jump_to_stack(self.home);
}

// Makes the fibers for blocks of this size.
static void prepare(Worker &self, const dim3 &size) {
  if (size.x == self.block_size.x && size.y == self.block_size.y && size.z == self.block_size.z)
    return;
  self.block_size = size;
  self.fibers.resize(count(size));
  unsigned rank = 0;
  for (unsigned z = 0; z < size.z; ++z)
    for (unsigned y = 0; y < size.y; ++y)
      for (unsigned x = 0; x < size.x; ++x, ++rank) {
        self.fibers[rank].index = {x, y, z};
        self.fibers[rank].rank = rank;
      }
  self.positions.resize(count(size));
  std::iota(self.positions.begin(), self.positions.end(), 0u);
  if (order().kind == Order::reverse)
    std::reverse(self.positions.begin(), self.positions.end());
}

bool run_chunks(Grid &grid, size_t first, size_t past_last) {
  catch_faults();
  Worker &self = worker();
  self.first = first;
  self.past_last = past_last;
  self.error = cudaSuccess;
  self.direct.reserve(1);
  prepare(self, grid.configuration.block);
  block.worker = &self;
  block.running = nullptr;
  block.forward = order().kind == Order::forward && !tools::on;
  const size_t shared_bytes = grid.configuration.shared_bytes;
  block.shared = tools::on ? tools::dynamic_shared(shared_bytes) : self.shared.get(shared_bytes);
  self.grid = &grid;
  block.body = grid.body.functor;
  switch_stack(self.home, new_stack(self.direct.top(0), &run_on_direct_stack));
  tools::end_block();
  self.grid = nullptr;
  block.running = nullptr;
  return self.error == cudaSuccess;
}

void abandon(cudaError_t error, std::string message) {
  Worker &self = worker();
  self.error = error;
  self.message.swap(message);
  // Nobody will leave the meetings of this block.
  self.all_meetings.clear();
  self.free_meetings = nullptr;
  jump_to_stack(self.home);
}

// ---- the start of a block and of its threads ---------------------------------------------------

template <class Values> static void shuffle_values(Values &values, std::uint64_t seed) {
  for (size_t left = values.size(); left > 1; --left)
    std::swap(values[left - 1], values[scramble(seed, left) % left]);
}

// The block that comes at position `number` in the adversary's order.
static size_t block_at(size_t number, size_t blocks, std::uint64_t launch) {
  if (order().kind == Order::forward)
    return number;
  if (order().kind == Order::reverse)
    return blocks - 1 - number;
  // number * step + offset modulo blocks meets every block once when step and blocks share no
  // factor.
  const std::uint64_t seed = scramble(order().seed, launch);
  size_t step = 1 + scramble(seed, 0) % blocks;
  while (std::gcd(step, blocks) != 1)
    step = step % blocks + 1;
  const size_t offset = scramble(seed, 1) % blocks;
  return static_cast<size_t>((static_cast<unsigned __int128>(number) * step + offset) % blocks);
}

const uint3 *begin_block(size_t number) {
  Worker &self = worker();
  if (self.grid->abandoned.load(std::memory_order_relaxed))
    return nullptr;
  const dim3 &size = self.grid->configuration.grid;
  if (!block.forward) {
    number = block_at(number, size_t{size.x} * size.y * size.z, self.grid->launch);
    if (order().kind == Order::random)
      shuffle_values(self.positions, scramble(order().seed ^ self.grid->launch, number));
    if (block.shared)
      std::memset(block.shared, 0xff, self.grid->configuration.shared_bytes);
    self.shuffles = 0;
  }
  const size_t row = number < size.x ? 0 : number / size.x; // divisions are slow
  const size_t plane = row < size.y ? 0 : row / size.y;
  self.block_index = {static_cast<unsigned>(number - row * size.x),
                      static_cast<unsigned>(row - plane * size.y), static_cast<unsigned>(plane)};
  tools::begin_block(number);
  return &self.block_index;
}

uint3 begin_thread(unsigned position) {
  Worker &self = worker();
  self.position = position;
  const Fiber &fiber = self.fibers[self.positions[position]];
  if (tools::on) { // so that threads with nearby numbers, and kernels, share no part of the stack
    block.room_above = tool_step * (1 + ++self.threads_begun % tool_steps);
    self.thread_top = static_cast<char *>(__builtin_frame_address(0)) - block.room_above;
  }
  tools::begin_thread(fiber.rank);
  return fiber.index;
}

// ---- fibers ------------------------------------------------------------------------------------

// The thread of `me` has returned from the kernel.
static void leave_block(Worker &self, const Fiber &me) {
  --self.live;
  Warp &warp = self.warps[me.rank / 32];
  warp.gone |= 1u << me.rank % 32;
  if (warp.meetings)
    complete_meetings(self, warp);
}

void end_fiber() {
  Worker &self = *block.worker;
  leave_block(self, *block.running);
  Fiber *next = self.keeper;
  if (self.live > 0) {
    next = block.ready ? block.ready : next_ready();
    block.ready = next->next;
    block.running = next;
  }
  tools::begin_thread(next->rank);
  jump_to_stack(next->stack);
}

Fiber *promote(uint3 caller) {
  Worker &self = worker();
  if (!self.grid) {
    std::fputs("error: a barrier or a warp operation was called outside a kernel\n", stderr);
    std::abort();
  }
  const dim3 &size = self.grid->configuration.block;
  const unsigned threads = count(size);
  const unsigned position = block.forward ? rank_of(caller, size) : self.position;
  const auto rank_at = [&](unsigned at) { return block.forward ? at : self.positions[at]; };

  self.stacks.reserve(threads);
  self.live = threads - position;
  self.other_lines = self.for_grid = false;
  self.meeting_lanes = 0;
  self.gathering = nullptr;
  self.turns = 0;
  self.paused = nullptr;
  for (unsigned warp = 0; warp < (threads + 31) / 32; ++warp)
    self.warps[warp] = {nullptr, 0};
  if (threads % 32)
    self.warps[threads / 32].gone = ~0u << threads % 32;
  for (unsigned at = 0; at < position; ++at)
    self.warps[rank_at(at) / 32].gone |= 1u << rank_at(at) % 32;

  if (tools::on) // so that a block's local variables lie where those of the one before did not
    self.room_above_fibers = (self.room_above_fibers + tool_step) % (tool_step * tool_steps);
  Fiber *last = &block.gate;
  for (unsigned at = position + 1; at < threads; ++at) {
    Fiber &fiber = self.fibers[rank_at(at)];
    char *const top = self.stacks.top(fiber.rank) - (tools::on ? self.room_above_fibers : 0);
    fiber.stack = new_stack(top, self.grid->body.run_fiber);
    last->next = &fiber;
    last = &fiber;
  }
  last->next = nullptr;
  block.ready = block.gate.next;
  block.last_waiting = &block.gate;
  block.votes = 0;
  self.keeper = &self.fibers[rank_at(position)];
  block.running = self.keeper;
  return self.keeper;
}

void end_of_fibers() {
  Worker &self = worker();
  Fiber &me = *block.running;
  leave_block(self, me);
  if (self.live > 0)
    continue_next(&me); // the last of the others comes back here
  block.running = nullptr;
}

void pause_thread(Fiber *me) {
  Worker &self = worker();
  if (!block.ready && !self.paused && !self.gathering)
    return std::this_thread::yield(); // another block may be what the caller waits for
  me->next = nullptr;
  (self.paused ? self.last_paused->next : self.paused) = me;
  self.last_paused = me;
  continue_next(me);
}

// ---- barrier -----------------------------------------------------------------------------------

void other_line(SourceLine line) {
  if (block.last_waiting == &block.gate)
    block.line = line;
  else if (!same(line, block.line))
    worker().other_lines = true;
}

static void shuffle_ready(Worker &self) {
  std::vector<Fiber *> fibers;
  for (Fiber *fiber = block.ready; fiber; fiber = fiber->next)
    fibers.push_back(fiber);
  shuffle_values(fibers, scramble(order().seed + ++self.shuffles, self.block_index.x));
  for (size_t i = 0; i + 1 < fibers.size(); ++i)
    fibers[i]->next = fibers[i + 1];
  fibers.back()->next = nullptr;
  block.ready = fibers.front();
}

Fiber *next_ready() {
  Worker &self = worker();
  // Each of the others has run. Those that gave way may wait for lanes that gather, or be some of
  // those for which these wait: a few turns tell.
  if (self.paused && !(self.gathering && ++self.turns > 16)) {
    std::this_thread::yield();
    block.ready = self.paused;
    self.paused = nullptr;
    return block.ready;
  }
  if (self.gathering) {
    self.turns = 0;
    end_gathering(self);
    return block.ready;
  }
  block.last_waiting->next = nullptr;
  if (self.meeting_lanes > 0 || self.other_lines) {
    std::string message = describe_stuck(self);
    abandon(cudaErrorLaunchFailure, tools::threads_stuck(message) ? "" : std::move(message));
  }
  if (self.for_grid) {
    self.for_grid = false;
    const bool is_counted = !(self.warps[0].gone & 1);
    if (is_counted)
      tools::grid_barrier_reached();
    std::optional<std::string> why =
        is_counted ? wait_for_blocks(*self.grid)
                   : "its thread (0, 0, 0), which the barrier counts, has returned";
    if (why && why->empty())
      abandon(self.grid->error, "");
    if (why) {
      std::string message = describe_stuck_grid(self, *why);
      abandon(cudaErrorLaunchFailure, tools::threads_stuck(message) ? "" : std::move(message));
    }
  } else {
    tools::barrier_opened();
  }
  block.ready = block.gate.next;
  block.last_waiting = &block.gate;
  block.vote_result = block.votes;
  block.vote_threads = self.live;
  block.votes = 0;
  if (order().kind == Order::random)
    shuffle_ready(self);
  return block.ready;
}

void prepare_grid_barrier() {
  if (!in_cooperative_grid())
    fault(cudaErrorLaunchFailure,
          "waits for the whole grid: this needs a launch with cudaLaunchCooperativeKernel",
          block.running->index);
  worker().for_grid = true;
}

} // namespace course_cpu
