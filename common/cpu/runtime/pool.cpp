// The grid: blocks in chunks over threads of the operating system.
#include "device.h"
#include "observer.h"
#include "timeline.h"
#include "worker.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <system_error>
#include <thread>

namespace course_cpu {

static size_t block_count(const Grid &grid) {
  const dim3 &size = grid.configuration.grid;
  return size_t{size.x} * size.y * size.z;
}

// The first fault of a grid is reported; the others mostly follow from it.
static void report_fault(Grid &grid) {
  if (grid.abandoned.exchange(true))
    return;
  const Worker &self = worker();
  grid.error = self.error;
  if (self.message.empty())
    return; // a tool has told it
  std::fflush(stdout);
  std::fprintf(stderr, "error: %s\n", self.message.c_str());
}

bool take_chunk(Grid &grid, size_t &first, size_t &past_last) {
  const size_t blocks = block_count(grid);
  first = __atomic_fetch_add(&grid.next_block, grid.chunk, __ATOMIC_RELAXED);
  past_last = std::min(first + grid.chunk, blocks);
  return first < blocks;
}

// Runs chunks until none is left.
static void work_on(Grid &grid) {
  size_t first, past_last;
  if (take_chunk(grid, first, past_last) && !run_chunks(grid, first, past_last))
    report_fault(grid);
}

// Threads that wait for grids to work on. They are never joined: the process ends without them.
//
// A waiting thread spins for a while before it sleeps: to wake a thread takes longer than many a
// grid. The grid that threads may work on is published in `state`, which also counts the threads
// that do; the mutex is for sleeping only. A thread first announces its sleep and then reads
// `state`; a thread that changes `state` then checks for sleepers: so one of the two sees the
// other.
class Pool {
public:
  explicit Pool(unsigned threads) {
    for (; helpers + 1 < threads; ++helpers) {
      try {
        std::thread([this] { serve(); }).detach();
      } catch (const std::system_error &) {
        break; // a process that may have no more threads runs on those it has
      }
    }
  }

  void run(Grid &grid) {
    std::lock_guard<std::mutex> one_at_a_time(launch);
    // Small enough chunks that no thread idles for long at the end.
    const size_t blocks = block_count(grid);
    grid.chunk = std::max<size_t>(1, blocks / (8 * (helpers + 1)));
    current = &grid;
    state = (state / generation + 1) * generation + open; // nobody is at work
    if (const unsigned sleep = sleepers)
      wake_helpers(sleep, (blocks - 1) / grid.chunk);
    work_on(grid);
    state &= ~open;
    const auto done = [this] { return state % open == 0; };
    if (look_for(done))
      return;
    std::unique_lock<std::mutex> lock(mutex);
    launcher_sleeps = true;
    idle.wait(lock, done);
    launcher_sleeps = false;
  }

private:
  // `state`: the helpers at work, whether more may join them, the number of the launch.
  static constexpr std::uint64_t open = 1 << 16, generation = 2 * open;

  // True if `condition` becomes true within 50 microseconds.
  template <class Condition> static bool look_for(const Condition &condition) {
    using Clock = std::chrono::steady_clock;
    for (const auto start = Clock::now(); !condition(); std::this_thread::yield())
      if (Clock::now() - start > std::chrono::microseconds(50))
        return false;
    return true;
  }

  void wake_helpers(size_t asleep, size_t wanted) {
    mutex.lock(); // none is between its look and its sleep
    mutex.unlock();
    if (wanted >= asleep)
      wake.notify_all();
    else
      for (; wanted > 0; --wanted)
        wake.notify_one();
  }

  void serve() {
    for (std::uint64_t seen = 0;;) {
      const auto offered = [&] { return state & open && state / generation != seen; };
      if (!look_for(offered)) {
        std::unique_lock<std::mutex> lock(mutex);
        ++sleepers;
        wake.wait(lock, offered);
        --sleepers;
      }
      std::uint64_t now = state;
      if (!(now & open) || !state.compare_exchange_strong(now, now + 1))
        continue; // too late, or another one joined at the same time
      seen = now / generation;
      work_on(*current);
      if (--state % open == 0 && launcher_sleeps) {
        mutex.lock(); // as above
        mutex.unlock();
        idle.notify_one();
      }
    }
  }

  unsigned helpers = 0;
  std::mutex launch, mutex;
  std::condition_variable wake, idle;
  Grid *current = nullptr;
  std::atomic<std::uint64_t> state{0};
  std::atomic<unsigned> sleepers{0};
  std::atomic<bool> launcher_sleeps{false};
};

// ---- cooperative launches ----------------------------------------------------------------------

// A barrier for the blocks of the one cooperative grid that runs.
static std::mutex grid_mutex;
static std::condition_variable &grid_changed() {
  static auto &condition = *new std::condition_variable;
  return condition;
}
static size_t grid_waiting;
static std::uint64_t grid_generation;
static std::optional<uint3> grid_returned; // a block that will wait no more

std::optional<std::string> wait_for_blocks(Grid &grid) {
  std::unique_lock<std::mutex> lock(grid_mutex);
  const std::uint64_t generation = grid_generation;
  if (++grid_waiting == block_count(grid)) {
    grid_waiting = 0;
    tools::grid_barrier_opened();
    ++grid_generation;
    grid_changed().notify_all();
  }
  tools::pass_baton();
  const auto is_open = [&] { return grid_generation != generation; };
  grid_changed().wait(lock, [&] { return is_open() || grid_returned || grid.abandoned; });
  const bool open = is_open();
  lock.unlock();
  tools::take_baton();
  if (open && !grid.abandoned) {
    tools::grid_barrier_passed();
    return {};
  }
  return grid.abandoned ? "" : "block " + text(*grid_returned) + " has returned";
}

static void run_cooperative(Grid &grid) {
  static std::mutex one_at_a_time;
  std::lock_guard<std::mutex> alone(one_at_a_time);
  const size_t blocks = block_count(grid);
  grid.next_block = blocks; // each thread has one block and takes no other
  grid_waiting = 0;
  grid_returned.reset();
  const auto run_one = [&grid](size_t number) {
    tools::take_baton();
    const bool through = run_chunks(grid, number, number + 1);
    std::lock_guard<std::mutex> lock(grid_mutex);
    if (!through)
      report_fault(grid);
    else if (!grid_returned)
      grid_returned = worker().block_index;
    grid_changed().notify_all();
    tools::pass_baton();
  };
  std::vector<std::thread> threads;
  for (size_t number = 1; number < blocks; ++number) {
    try {
      threads.emplace_back(run_one, number);
    } catch (const std::system_error &) {
      std::fprintf(stderr,
                   "error: kernel %s launched at %s:%d: this process may not have the %zu threads "
                   "that its blocks need to run at once: launch fewer blocks\n",
                   grid.site.kernel, grid.site.file, grid.site.line, blocks);
      std::lock_guard<std::mutex> lock(grid_mutex);
      grid.error = cudaErrorCooperativeLaunchTooLarge;
      grid.abandoned = true;
      grid_changed().notify_all();
      break;
    }
  }
  if (!grid.abandoned)
    run_one(0);
  for (std::thread &thread : threads)
    thread.join();
}

// ---- one launch --------------------------------------------------------------------------------

void run(Grid &grid) {
  static std::atomic<size_t> launches{0};
  grid.launch = launches++;
  grid.chunk = block_count(grid);
  const Span span(Span::kernel, grid.site.kernel);
  tools::begin_kernel(grid);
  if (grid.cooperative)
    run_cooperative(grid);
  else if (block_count(grid) == 1 || pool_size() == 1 || tools::on ||
           order().kind != Order::forward)
    work_on(grid); // an order that can be repeated needs one thread
  else {
    static Pool &pool = *new Pool(pool_size());
    pool.run(grid);
  }
  tools::end_kernel();
  if (grid.error != cudaSuccess)
    set_sticky_error(grid.error);
}

} // namespace course_cpu

long long clock64() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}
