// Kernels that kernels launch (dynamic parallelism). A child runs when the grid that launched it
// has ended: at the last moment that CUDA allows. Where code of before CUDA 12 waits for it in the
// kernel, it runs then, on another OS thread: one runs one block at a time, whose shared memory and
// built-in variables are its own.
#include "tools/tools.h"
#include "worker.h"

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace course_cpu {
namespace {

struct Child {
  uint3 block; // of the launch
  std::function<void()> run;
};

std::mutex children_mutex;
auto &children_of() {
  static auto &all = *new std::unordered_map<const Grid *, std::vector<Child>>;
  return all;
}

// Those that fit are taken.
template <class Fits> std::vector<Child> take_children(const Grid &grid, const Fits &fits) {
  std::lock_guard<std::mutex> lock(children_mutex);
  const auto found = children_of().find(&grid);
  if (found == children_of().end())
    return {};
  std::vector<Child> &all = found->second, taken;
  const auto first = std::stable_partition(all.begin(), all.end(),
                                           [&](const Child &child) { return !fits(child); });
  std::move(first, all.end(), std::back_inserter(taken));
  all.erase(first, all.end());
  if (all.empty())
    children_of().erase(found);
  return taken;
}

thread_local bool helps = false;  // this thread takes none of the pool's, which may wait for it
thread_local cudaError_t failure; // of the latest grid that this thread has run, with its children

// A thread that runs grids for others. It is never joined: the process ends without it.
class Helper {
public:
  Helper() {
    std::thread([this] { serve(); }).detach();
  }

  cudaError_t run(const std::function<void()> &grid) {
    std::unique_lock<std::mutex> lock(mutex);
    work = &grid;
    changed.notify_all();
    changed.wait(lock, [this] { return !work; });
    return error;
  }

private:
  void serve() {
    helps = true;
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
      changed.wait(lock, [this] { return work; });
      (*work)();
      error = failure;
      work = nullptr;
      changed.notify_all();
    }
  }

  std::mutex mutex;
  std::condition_variable changed;
  const std::function<void()> *work = nullptr;
  cudaError_t error = cudaSuccess;
};

std::mutex helpers_mutex;
std::vector<Helper *> &idle_helpers() {
  static auto &all = *new std::vector<Helper *>;
  return all;
}

Helper &take_helper() {
  std::lock_guard<std::mutex> lock(helpers_mutex);
  auto &idle = idle_helpers();
  if (idle.empty())
    return *new Helper;
  Helper &last = *idle.back();
  idle.pop_back();
  return last;
}

void give_back(Helper &helper) {
  std::lock_guard<std::mutex> lock(helpers_mutex);
  idle_helpers().push_back(&helper);
}

} // namespace

void queue_child(std::function<void()> child) {
  if (tools::on)
    fault(cudaErrorNotSupported, "launches a kernel, which the tools cannot follow into a kernel");
  std::lock_guard<std::mutex> lock(children_mutex);
  children_of()[worker().grid].push_back({worker().block_index, std::move(child)});
}

void wait_for_children() {
  const uint3 block = worker().block_index;
  const auto is_of_block = [&](const Child &child) {
    return child.block.x == block.x && child.block.y == block.y && child.block.z == block.z;
  };
  for (const Child &child : take_children(*worker().grid, is_of_block)) {
    Helper &helper = take_helper();
    const cudaError_t error = helper.run(child.run);
    give_back(helper);
    if (error != cudaSuccess)
      abandon(error, ""); // the child has told why
  }
}

void run_children(const Grid &grid) {
  failure = grid.error;
  for (const Child &child : take_children(grid, [](const Child &) { return true; }))
    if (failure == cudaSuccess)
      child.run();
}

bool run_as_helper(Grid &grid) {
  if (helps) {
    run_alone(grid);
    run_children(grid);
  }
  return helps;
}

} // namespace course_cpu
