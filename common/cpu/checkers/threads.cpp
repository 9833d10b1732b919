// The order of the threads of one grid: barriers of a block and of a warp, and fences with atomics.
#include "access.h"
#include "count.h"
#include "report.h"
#include "requests.h"
#include "runtime/observer.h"
#include "runtime/worker.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <link.h>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

namespace course_cpu {
namespace tools {

namespace {

// ---- fences and atomics ----
//
// An atomic write after a fence publishes what is ordered before the fence; an atomic read of that
// location takes it over, with what the publisher itself had taken over. Between blocks only what
// is not narrow counts: not the fences and atomics whose scope is a block.

struct Releases;
struct Known { // the first `count` releases of a location, to threads of this block
  const Releases *releases;
  std::size_t count;
  std::uint32_t block;
  bool narrow; // only those of the own block
};

using Met = std::array<Tick, 32>; // for each lane: up to where its past is that of another one

struct Fence {
  Tick tick = 0, barrier = 0;      // of the fence, and of the block's barrier before it
  std::shared_ptr<const Met> warp; // of its barriers before it; nullptr: none in this block
};

struct Release {
  std::uint32_t block;
  std::uint16_t thread;
  bool narrow;
  Fence of_block, of_device; // accesses up to here: the thread's own, and those of its block
  Tick atomic;               // the atomic itself, and what other atomics the thread did before

  // The fence that it publishes to those who know it; nullptr: none.
  const Fence *to(const Known &known) const {
    if (block == known.block)
      return &of_block;
    return narrow || known.narrow || of_device.tick == 0 ? nullptr : &of_device;
  }
};

struct Releases {
  std::vector<Release> all;
  std::unordered_map<std::uint32_t, std::vector<std::size_t>> of_block;
  std::vector<std::pair<std::size_t, Known>> inherited; // from that release on
};

std::unordered_map<const void *, Releases> &releases() { // by location, of the kernel that runs
  static auto &all = *new std::unordered_map<const void *, Releases>;
  return all;
}

// Returns whether that is new.
bool add(std::vector<Known> &all, const Known &known) {
  for (Known &k : all)
    if (k.releases == known.releases && k.block == known.block && k.narrow == known.narrow) {
      const bool more = k.count < known.count;
      k.count = std::max(k.count, known.count);
      return more;
    }
  all.push_back(known);
  return true;
}

bool covers(const std::vector<Known> &known, const Access &access) {
  std::vector<Known> seen = known, next = known;
  while (!next.empty()) {
    const Known k = next.back();
    next.pop_back();
    const auto found = k.releases->of_block.find(access.block);
    if (found != k.releases->of_block.end())
      for (const std::size_t number : found->second) {
        if (number >= k.count)
          break;
        const Release &r = k.releases->all[number];
        const Fence *fence = r.to(k);
        if (fence && (access.tick <= fence->barrier ||
                      (access.thread == r.thread &&
                       access.tick <= (access.atomic ? r.atomic : fence->tick)) ||
                      (access.thread / 32 == r.thread / 32 && fence->warp &&
                       access.tick <= (*fence->warp)[access.thread % 32])))
          return true;
      }
    for (const auto &[number, inherited] : k.releases->inherited)
      if (number < k.count && k.releases->all[number].to(k) && add(seen, inherited))
        next.push_back(inherited);
  }
  return false;
}

struct Thread {
  Fence of_block, of_device; // the last ones
  Tick of_system = 0;
  std::vector<Known> known;
};

// The block that this OS thread runs.
struct OwnBlock {
  Met met[32][32] = {}; // [warp][lane]
  Thread threads[1024];
  Code last_code[1024] = {};     // of each thread's accesses
  Tick last_barrier[1024] = {};  // of each thread
  Tick last_meeting[1024] = {};  // of each thread, with lanes of its warp
  Tick fenced = 0;               // the last barrier before which all threads had a fence
  std::vector<unsigned> special; // threads that have used fences or have taken over a release
  std::vector<Known> known;      // by all since the last barrier
};

OwnBlock &own_block() {
  static __thread OwnBlock *block;
  if (!block)
    block = new OwnBlock; // not destroyed: hooks may come late
  return *block;
}

Thread &special_thread(unsigned number) {
  OwnBlock &block = own_block();
  if (std::find(block.special.begin(), block.special.end(), number) == block.special.end())
    block.special.push_back(number);
  return block.threads[number];
}

std::recursive_mutex baton;
Tick grid_barrier = 0;

// The calling thread's copy of the program's __thread variables.
void find_variables() {
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *) {
        for (int i = 0; i < info->dlpi_phnum; ++i)
          if (info->dlpi_phdr[i].p_type == PT_TLS)
            self.variables_bytes = info->dlpi_phdr[i].p_memsz;
        return 1; // the first one is the program
      },
      nullptr);
  constexpr std::uintptr_t slack = 128; // for their alignment
  self.variables_bytes += slack;
  self.variables = reinterpret_cast<std::uintptr_t>(__builtin_thread_pointer());
#ifdef __x86_64__
  self.variables -= self.variables_bytes; // they lie below the pointer
#endif
}

} // namespace

bool ordered_in_grid(const Access &access) {
  OwnBlock &block = own_block();
  if (access.block == self.block && access.thread / 32 == self.thread / 32 &&
      access.tick <= block.met[self.thread / 32][self.thread % 32][access.thread % 32])
    return true;
  if (releases().empty())
    return false;
  return covers(block.known, access) || covers(block.threads[self.thread].known, access);
}

Tick next_tick() {
  const Tick over = now++;
  note_caller();
  return over;
}

void fence(bool narrow, bool of_system) {
  if (!self.in_kernel)
    return;
  Thread &thread = special_thread(self.thread);
  const Met &met = own_block().met[self.thread / 32][self.thread % 32];
  thread.of_block = {next_tick(), self.barrier, nullptr};
  if (*std::max_element(met.begin(), met.end()) > self.barrier)
    thread.of_block.warp = std::make_shared<const Met>(met);
  if (!narrow)
    thread.of_device = thread.of_block;
  if (!narrow && of_system)
    thread.of_system = thread.of_block.tick;
}

void release(const void *address, bool narrow) {
  OwnBlock &block = own_block();
  Thread &thread = block.threads[self.thread];
  if (thread.of_block.tick == 0)
    return;
  Release mine{self.block, self.thread, narrow, thread.of_block, thread.of_device, now};
  for (Fence *fence : {&mine.of_block, &mine.of_device})
    fence->barrier = std::max(fence->barrier, block.fenced);
  if (!narrow && mine.of_device.tick > 0)
    told_host(address, mine.of_device.tick, thread.of_system);
  Releases &location = releases()[address];
  for (const std::vector<Known> *known : {&block.known, &thread.known})
    for (const Known &k : *known)
      if (k.releases != &location)
        location.inherited.emplace_back(location.all.size(), k);
  location.of_block[self.block].push_back(location.all.size());
  location.all.push_back(mine);
}

void acquire(const void *address, bool narrow) {
  if (releases().empty())
    return;
  const auto found = releases().find(address);
  if (found != releases().end())
    add(special_thread(self.thread).known,
        {&found->second, found->second.all.size(), self.block, narrow});
}

bool fenced_since_barrier() {
  return own_block().threads[self.thread].of_block.tick > self.barrier;
}

void forget_releases() { releases().clear(); }

// ---- block.cpp, warp.cpp, pool.cpp ----

void take_baton() { baton.lock(); }

void pass_baton() { baton.unlock(); }

void give_way_to_blocks() {
  pass_baton();
  std::this_thread::sleep_for(std::chrono::microseconds(20)); // a lock is not fair by itself
  take_baton();
  note_caller();
}

void begin_block(std::size_t number) {
  end_block();
  if (self.variables_bytes == 0)
    find_variables();
  const Grid &grid = *worker().grid;
  self.arguments = reinterpret_cast<std::uintptr_t>(grid.body.functor);
  self.arguments_bytes = grid.body.bytes;
  self.in_kernel = self.in_operation = true;
  self.begin = grid_begin;
  self.floor = grid_floor;
  self.block = static_cast<std::uint32_t>(number);
  self.barrier = next_tick();
  self.block_begin = now;
  self.last_code = 0;
}

void begin_thread(unsigned rank) {
  if (self.waits)
    other_thread_waits();
  own_block().last_code[self.thread] = self.last_code;
  self.thread = static_cast<std::uint16_t>(rank);
  const Worker &worker = *course_cpu::block.worker;
  const bool is_direct = !course_cpu::block.running || course_cpu::block.running == worker.keeper;
  self.stack_top = reinterpret_cast<std::uintptr_t>(
      is_direct ? worker.thread_top : worker.stacks.top(rank) - worker.room_above_fibers);
  self.last_code = 0;
  note_caller();
}

void barrier_reached() { own_block().last_barrier[self.thread] = now; }

// Threads that have returned are not waited for. But one that went on after the line of a barrier
// or a meeting, and was at none, has passed it by: on a device the others may wait for ever.
static void find_passers_by(unsigned first, unsigned past_last, const SourceLine &line,
                            const char *operation, const Tick *last) {
  const Worker &worker = course_cpu::worker();
  OwnBlock &own = own_block();
  own.last_code[self.thread] = self.last_code;
  for (unsigned rank = first; rank < past_last; ++rank) {
    const bool gone = worker.warps[rank / 32].gone >> rank % 32 & 1;
    if (gone && last[rank] < self.block_begin && own.last_code[rank] != 0 &&
        is_behind(own.last_code[rank], line))
      return tell_passed_by(operation, line, rank, own.last_code[rank]);
  }
}

void end_block() {
  if (!self.in_kernel)
    return;
  end_of_wait();
  end_of_reads(true);
  if (counting)
    end_requests();
  self.in_kernel = false;
  self.block = no_block;
  self.thread = 0;
  self.stack_top = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) + (64 << 10);
  OwnBlock &block = own_block();
  for (const unsigned thread : block.special)
    block.threads[thread] = {};
  block.special.clear();
  block.known.clear();
  block.fenced = 0;
}

void barrier_opened() {
  if (counting)
    end_requests();
  const unsigned threads = static_cast<unsigned>(worker().fibers.size());
  if (worker().live < threads && wanted(Tool::synccheck))
    find_passers_by(0, threads, course_cpu::block.line, "barrier", own_block().last_barrier);
  OwnBlock &block = own_block();
  std::size_t fenced = 0; // threads, since the last barrier
  for (const unsigned number : block.special) {
    Thread &thread = block.threads[number];
    fenced += thread.of_device.tick > self.barrier;
    for (const Known &known : thread.known)
      add(block.known, known);
    thread.known.clear();
  }
  self.barrier = next_tick();
  // Then an atomic of any of them publishes what all have written.
  if (fenced == worker().live)
    block.fenced = self.barrier;
}

void grid_barrier_reached() {
  const Worker &worker = course_cpu::worker();
  const auto threads = static_cast<unsigned>(worker.fibers.size());
  for (unsigned rank = 0; worker.live < threads && rank < threads; ++rank)
    if (worker.warps[rank / 32].gone >> rank % 32 & 1)
      return tell_returned(course_cpu::block.line, rank);
}

void grid_barrier_opened() { grid_barrier = next_tick(); }

void grid_barrier_passed() {
  self.floor = self.barrier = std::max(self.floor, grid_barrier);
  note_caller();
}

// Shuffles, votes, matches and reductions order nothing but themselves.
static bool orders_memory(const Meeting &meeting) {
  return !std::strcmp(meeting.operation, "__syncwarp");
}

void lanes_met(unsigned warp, const Meeting &meeting) {
  OwnBlock &block = own_block();
  const unsigned lanes = meeting.arrived;
  if (counting && (lanes | worker().warps[warp].gone) == ~0u)
    end_requests_of_warp(warp);
  if ((meeting.mask & ~lanes) != 0 && wanted(Tool::synccheck)) {
    const auto threads = static_cast<unsigned>(worker().fibers.size());
    for (unsigned lane = 0; lane < 32; ++lane)
      if (const unsigned rank = 32 * warp + lane;
          rank < threads && (meeting.mask & ~lanes) >> lane & 1)
        find_passers_by(rank, rank + 1, meeting.line, meeting.operation, block.last_meeting);
  }
  for (unsigned lane = 0; lane < 32; ++lane)
    if (lanes >> lane & 1)
      block.last_meeting[32 * warp + lane] = now;
  if (!orders_memory(meeting))
    return;
  const Tick met = next_tick();
  auto &known = block.met[warp];
  bool fenced = !block.special.empty(),
       fenced_for_device = fenced; // all lanes, since their last __syncwarp
  for (unsigned lane = 0; lane < 32; ++lane)
    if (lanes >> lane & 1) {
      const Thread &thread = block.threads[32 * warp + lane];
      fenced = fenced && thread.of_block.tick > known[lane][lane];
      fenced_for_device = fenced_for_device && thread.of_device.tick > known[lane][lane];
    }
  Met joined = {};
  for (unsigned lane = 0; lane < 32; ++lane)
    if (lanes >> lane & 1)
      for (unsigned other = 0; other < 32; ++other)
        joined[other] = std::max(joined[other], known[lane][other]);
  for (unsigned lane = 0; lane < 32; ++lane)
    if (lanes >> lane & 1)
      joined[lane] = met;
  // Then an atomic of any of them publishes what all have written, as after a barrier.
  const auto row = fenced ? std::make_shared<const Met>(joined) : nullptr;
  std::vector<Known> taken_over;
  for (unsigned lane = 0; lane < 32; ++lane)
    if (lanes >> lane & 1) {
      known[lane] = joined;
      Thread &thread = block.threads[32 * warp + lane];
      if (fenced)
        thread.of_block.warp = row;
      if (fenced_for_device)
        thread.of_device.warp = row;
      for (const Known &k : thread.known)
        add(taken_over, k);
    }
  if (taken_over.empty())
    return;
  for (unsigned lane = 0; lane < 32; ++lane)
    if (lanes >> lane & 1)
      for (const Known &k : taken_over)
        add(special_thread(warp * 32 + lane).known, k);
}

} // namespace tools
} // namespace course_cpu
