// The C++ part of the worker of an exercise in Python, in the library that the submission calls.
// python_worker.py loads it.
#include "common/grader/worker/python_script.hpp"

#include <cuda_runtime.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace {

void (*run_in_python)(const char *script, float *values, int count, course::ScriptResult *result);

// Ends the process after an error of CUDA. Then the control decides whether it is the machine's.
void check(cudaError_t status) {
  if (status == cudaSuccess)
    return;
  std::fprintf(stderr, "the worker's CUDA call failed: %s\n", cudaGetErrorString(status));
  std::exit(EXIT_FAILURE);
}

std::mutex mutex;
std::condition_variable changed;
bool held = false, may_go_on = false;

// Ends after two seconds, so that an answer that waits too early does not meet the time limit.
void hold(void *) {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait_for(lock, std::chrono::seconds(2), [] { return may_go_on; });
  held = false;
  changed.notify_all();
}

} // namespace

course::ScriptResult python_script(const char *script, float *values, int count) {
  course::ScriptResult result{};
  run_in_python(script, values, count, &result);
  return result;
}

extern "C" void course_run_scripts_with(decltype(run_in_python) run) { run_in_python = run; }

// A stream that does no work until course_go_on(). Other streams do not wait for it.
extern "C" cudaStream_t course_held_stream() {
  static cudaStream_t stream = nullptr;
  if (!stream)
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [] { return !held; }); // the last hold() may not have ended yet
  held = true;
  may_go_on = false;
  check(cudaLaunchHostFunc(stream, hold, nullptr));
  return stream;
}

// Returns whether the stream was still held.
extern "C" bool course_go_on() {
  const std::lock_guard<std::mutex> lock(mutex);
  may_go_on = true;
  changed.notify_all();
  return held;
}

extern "C" void course_wait_for_default_stream() { check(cudaStreamSynchronize(cudaStreamLegacy)); }

// Page-locked memory, which a copy in a stream reads and writes only when its turn comes.
extern "C" void *course_allocate_pinned(std::size_t bytes) {
  void *memory = nullptr;
  check(cudaMallocHost(&memory, bytes));
  return memory;
}
extern "C" void course_free_pinned(void *memory) { cudaFreeHost(memory); }
