// Launches by kernels (dynamic parallelism): kernels, copies and fills. A child runs when the grid
// that launched it has ended: at the last moment that CUDA allows. If code from before CUDA 12
// waits for it in the kernel, it runs then, on another OS thread: one runs one block at a time,
// whose shared memory and built-in variables are its own.
#include "observer.h"
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
  uint3 block;  // of the launch
  bool is_tail; // runs when the grid's other children have ended
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

thread_local bool helps = false; // this thread takes none of the pool's, which may wait for it

// Children that this OS thread still has to run, the next one last. A grid that ends adds its own:
// so they end before what comes after their parent, and a chain of launches needs no stack.
thread_local std::vector<Child> *agenda = nullptr;
thread_local cudaError_t failure; // of the latest grid that this thread has run

// Runs children, and what they launch, until all have ended or one fails.
cudaError_t run_all(std::vector<Child> children) {
  std::reverse(children.begin(), children.end());
  agenda = &children;
  failure = cudaSuccess;
  while (failure == cudaSuccess && !children.empty()) {
    const Child next = std::move(children.back());
    children.pop_back();
    tools::begin_child();
    next.run();
  }
  agenda = nullptr;
  return failure;
}

// A thread that runs children for others. It is never joined: the process ends without it.
class Helper {
public:
  Helper() {
    std::thread([this] { serve(); }).detach();
  }

  cudaError_t run(const Child &child) {
    std::unique_lock<std::mutex> lock(mutex);
    work = &child;
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
      error = run_all({*work});
      work = nullptr;
      changed.notify_all();
    }
  }

  std::mutex mutex;
  std::condition_variable changed;
  const Child *work = nullptr;
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

void queue_child(cudaStream_t stream, std::function<void()> child) {
  std::lock_guard<std::mutex> lock(children_mutex);
  children_of()[worker().grid].push_back(
      {worker().block_index, stream == cudaStreamTailLaunch, std::move(child)});
}

void wait_for_children() {
  const uint3 block = worker().block_index;
  const auto can_end = [&](const Child &child) {
    return !child.is_tail && child.block.x == block.x && child.block.y == block.y &&
           child.block.z == block.z;
  };
  for (const Child &child : take_children(*worker().grid, can_end)) {
    if (tools::on)
      fault(
          cudaErrorNotSupported,
          "waits inside a kernel for what it has launched, which the tools cannot follow (CUDA 12 "
          "has no such wait)");
    Helper &helper = take_helper();
    const cudaError_t error = helper.run(child);
    give_back(helper);
    if (error != cudaSuccess)
      abandon(error, ""); // the child has told why
  }
}

void run_children(const Grid &grid) {
  std::vector<Child> children = take_children(grid, [](const Child &) { return true; });
  failure = grid.error;
  if (failure != cudaSuccess)
    return;
  std::stable_partition(children.begin(), children.end(),
                        [](const Child &child) { return !child.is_tail; });
  if (agenda)
    std::move(children.rbegin(), children.rend(), std::back_inserter(*agenda));
  else
    run_all(std::move(children));
}

bool run_as_helper(Grid &grid) {
  if (helps) {
    run_alone(grid);
    run_children(grid);
  }
  return helps;
}

} // namespace course_cpu
