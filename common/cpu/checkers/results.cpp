// Errors of CUDA's functions and of launches that nobody looks at.
#include "clock.h"
#include "report.h"
#include "runtime/allocations.h"
#include "runtime/capture.h"
#include "runtime/limits.h"
#include "runtime/observer.h"
#include "runtime/runtime.h"

#include "course_cpu/api.h"

#include <thread>

namespace course_cpu {
namespace tools {

namespace {

// A failed call whose result was dropped, until the program asks for the last error.
struct Unseen {
  std::thread::id thread;
  cudaError_t error;
  bool is_latest; // no call since it had another result
  std::string where, what;
};

std::mutex results_mutex;
std::vector<Unseen> &all_unseen() {
  static auto &all = *new std::vector<Unseen>;
  return all;
}

// The call that came last on this thread, if it failed.
struct Failed {
  cudaError_t error = cudaSuccess;
  Calls calls;
};
thread_local Failed &failed = *new Failed; // destructors of globals may still call CUDA
thread_local bool reported = false;        // a tool has told more of it

std::string error_text(cudaError_t error) {
  return std::string(cudaGetErrorName(error)) + " (" + cudaGetErrorString(error) + ")";
}

std::string text(const dim3 &size) {
  return std::to_string(size.x) + " x " + std::to_string(size.y) + " x " + std::to_string(size.z);
}

std::size_t count(const dim3 &size) { return std::size_t{size.x} * size.y * size.z; }

// True if the block has too many threads, and the number of blocks is a usual number of threads.
bool looks_exchanged(const Configuration &c) {
  const std::size_t blocks = count(c.grid);
  return count(c.block) > threads_block && blocks <= threads_block && blocks > 0 &&
         blocks % 32 == 0;
}

void note(std::string where, std::string what) {
  std::lock_guard<std::mutex> lock(results_mutex);
  all_unseen().push_back(
      {std::this_thread::get_id(), failed.error, true, std::move(where), std::move(what)});
  failed.error = cudaSuccess;
}

// Drops what is unseen of the caller's thread where it is() so.
template <class Is> void forget(const Is &is) {
  std::lock_guard<std::mutex> lock(results_mutex);
  auto &all = all_unseen();
  const auto me = std::this_thread::get_id();
  all.erase(std::remove_if(all.begin(), all.end(),
                           [&](const Unseen &u) { return u.thread == me && is(u); }),
            all.end());
}

// A program that looked at the call that came last, and at its error, has seen that error of the
// calls directly before, too.
void forget_what_was_seen() {
  if (failed.error != cudaSuccess)
    forget([](const Unseen &u) { return u.is_latest && u.error == failed.error; });
}

} // namespace

void returned(cudaError_t error) {
  forget_what_was_seen();
  {
    std::lock_guard<std::mutex> lock(results_mutex);
    for (Unseen &unseen : all_unseen())
      if (unseen.thread == std::this_thread::get_id() && unseen.error != error)
        unseen.is_latest = false;
  }
  // After a kernel failed, every call returns its error, which is already reported.
  const bool is_new =
      error != cudaSuccess && error != cudaErrorNotReady && !reported && error != standing_error();
  failed.error = is_new ? error : cudaSuccess;
  if (is_new)
    failed.calls = calls_of_host();
  reported = false;
}

void error_asked_for() {
  forget([](const Unseen &) { return true; });
}

void error_reported() { reported = true; }

void launch_refused(const Configuration &c, const Site &site, int bound) {
  if (failed.error == cudaSuccess)
    return;
  const std::string site_line = shortened(site.file) + ":" + std::to_string(site.line);
  note(site.line == 0 || is_ours(site.file) ? line_of(failed.calls) : site_line,
       "the launch of " + std::string(site.kernel) + " is refused: " + error_text(failed.error) +
           ", grid " + text(c.grid) + ", blocks of " + text(c.block) + ", " +
           size_text(c.shared_bytes) + " of dynamic shared memory" +
           (bound > 0
                ? ". Its __launch_bounds__ allows blocks of " + std::to_string(bound) + " threads"
            : looks_exchanged(c) ? ". Often: grid and block are exchanged: <<<grid, block>>>"
                                 : ""));
}

void tell_unseen() {
  if (!wanted(Tool::memcheck))
    return;
  forget_what_was_seen();
  for (const Unseen &unseen : all_unseen())
    if (is_new(Tool::memcheck, "result", unseen.where))
      tell("an unchecked error", {"at " + unseen.where + " " + unseen.what,
                                  "The program does not check this error: check the return value "
                                  "of the call, and cudaGetLastError() after a launch."});
}

} // namespace tools

void result_dropped(const char *function) {
  using namespace tools;
  if (failed.error == cudaSuccess)
    return;
  note(line_of(failed.calls), std::string(function) + " fails: " + error_text(failed.error));
}

} // namespace course_cpu
