// Threads that wait in a loop until another one changes memory: a lock, a flag.
//
// A block runs on one OS thread, and blocks run one after the other; so a loop
// that only looks gives way to the other threads of its block, in a cooperative launch also to the
// other blocks. When nobody is left who could change anything, it is reported.
#include "access.h"

#include "report.h"
#include "runtime/observer.h"
#include "runtime/worker.h"

namespace course_cpu {
namespace tools {

namespace {

constexpr unsigned patience = 1 << 10; // times round a loop until others have their turn
constexpr unsigned limit = 1 << 22;    // times round loops of the block without any progress

// The loops of the block that runs: how often they came back to an address at which nothing
// changes.
struct Loops {
  std::uintptr_t address; // of an access in the loop: one of the last half of them
  unsigned accesses;      // by this thread
  unsigned rounds;        // by all threads of the block
  std::uint64_t progress; // at the first of these rounds
};
__thread Loops loops;

std::uint64_t progress =
    0; // of the grid: accesses that changed something after a wait, ends of blocks

void tell_waiting(std::uintptr_t address, Code code) {
  const Access access = access_of_caller(code);
  const char *const what = "waits for memory that no other thread will change";
  if (!wanted(Tool::synccheck))
    abandon(cudaErrorLaunchTimeout, describe_place(*worker().grid, nullptr) + ": " + what);
  const char *const who_else = worker().grid->cooperative
                                   ? "All threads of the grid wait, or have ended."
                                   : "All other threads of its block also wait, or have ended. "
                                     "CUDA does not guarantee that another block starts before "
                                     "this block ends: use a cooperative launch, or two kernels.";
  if (is_new(Tool::synccheck, "waits", code))
    tell(std::string("a thread ") + what,
         {describe(access, false), describe_memory(address), who_else});
  abandon(cudaErrorLaunchTimeout, "");
}

} // namespace

void look(const void *pointer, Code code) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (!self.in_kernel || (address - range >= range_bytes && address - image >= image_bytes))
    return;
  self.waits = true;
  ++loops.accesses;
  if (address != loops.address) {
    if ((loops.accesses & (loops.accesses - 1)) == 0)
      loops.address = address;
    return;
  }
  if (++loops.rounds % patience != 0)
    return;
  if (worker().grid->abandoned)
    abandon(worker().grid->error, "");
  if (loops.progress != progress) {
    loops.progress = progress;
    loops.rounds = 0;
  }
  if (loops.rounds >= limit)
    tell_waiting(address, code);
  if (worker().grid->cooperative)
    give_way_to_blocks();
  __nanosleep(0); // to the threads of the block
}

void end_of_wait() {
  self.waits = false;
  loops = {};
  ++progress;
}

void other_thread_waits() { loops.address = loops.accesses = 0; }

} // namespace tools
} // namespace course_cpu
