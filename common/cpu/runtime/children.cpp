// Kernels that kernels launch (dynamic parallelism). The child runs at once and to its end, while
// the thread that launched it waits. An OS thread runs one block at a time, whose shared memory and
// built-in variables are that thread's; so the child gets another one.
#include "tools/tools.h"
#include "worker.h"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace course_cpu {
namespace {

// A thread that runs grids for others. It is never joined: the process ends without it.
class Helper {
public:
  Helper() {
    std::thread([this] { serve(); }).detach();
  }

  void run(Grid &grid) {
    std::unique_lock<std::mutex> lock(mutex);
    work = &grid;
    changed.notify_all();
    changed.wait(lock, [this] { return !work; });
  }

private:
  void serve() {
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
      changed.wait(lock, [this] { return work; });
      run_alone(*work);
      work = nullptr;
      changed.notify_all();
    }
  }

  std::mutex mutex;
  std::condition_variable changed;
  Grid *work = nullptr;
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

void run_child(Grid &grid) {
  if (tools::on)
    fault(cudaErrorNotSupported, "launches a kernel, which the tools cannot follow into a kernel");
  Helper &helper = take_helper();
  helper.run(grid);
  give_back(helper);
  if (grid.error != cudaSuccess)
    abandon(grid.error, ""); // the child has told why
}

} // namespace course_cpu
