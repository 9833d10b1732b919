// Faults in kernels: what happened, where, and a CUDA error instead of the end of the process.
//
// A signal handler on a stack of its own handles segmentation faults, stack overflows and, on
// x86-64, integer divisions by zero, which aarch64 does not trap. The message names the thread only
// where it is known: in direct mode the loop may hold threadIdx in a register. Device assert and
// __trap always name it.
#include "course_cpu_grader.h"
#include "host_faults.h"
#include "observer.h"
#include "refusals.hpp"
#include "worker.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sys/syscall.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

namespace course_cpu {

// ---- words -------------------------------------------------------------------------------------

std::string text(const uint3 &index) {
  return "(" + std::to_string(index.x) + ", " + std::to_string(index.y) + ", " +
         std::to_string(index.z) + ")";
}

static std::string text(const SourceLine &line) {
  return std::string(line.file) + ":" + std::to_string(line.line);
}

std::string describe_place(const Grid &grid, const uint3 *thread) {
  const Site &site = grid.site;
  std::string place = std::string("kernel ") + site.kernel;
  if (site.line)
    place += std::string(" launched at ") + site.file + ":" + std::to_string(site.line);
  place += ", block " + text(worker().block_index);
  if (thread)
    place += ", thread " + text(*thread);
  return place;
}

// "threads (0, 0, 0) to (31, 0, 0), (64, 0, 0)": ranks in order, runs of neighbours joined.
static std::string describe_threads(const Worker &self, std::vector<unsigned> ranks) {
  std::sort(ranks.begin(), ranks.end());
  std::string threads = ranks.size() == 1 ? "thread " : "threads ";
  size_t shown = 0;
  for (size_t i = 0; i < ranks.size(); ++shown) {
    size_t end = i + 1;
    while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1)
      ++end;
    if (shown == 4)
      return threads + ", ... (" + std::to_string(ranks.size()) + " in all)";
    if (shown > 0)
      threads += ", ";
    threads += text(self.fibers[ranks[i]].index);
    if (end - i > 1)
      threads += " to " + text(self.fibers[ranks[end - 1]].index);
    i = end;
  }
  return threads;
}

std::string describe_stuck(const Worker &self) {
  // Threads that wait for the same thing, in the order of their first thread.
  struct Group {
    std::string what;
    std::vector<unsigned> ranks;
  };
  std::vector<Group> groups;
  const auto add = [&](const std::string &what, unsigned rank) {
    for (Group &group : groups)
      if (group.what == what)
        return group.ranks.push_back(rank);
    groups.push_back({what, {rank}});
  };
  for (const Fiber *fiber = block.gate.next; block.last_waiting != &block.gate && fiber;
       fiber = fiber->next)
    add("at a barrier of the block at " + text(fiber->line) +
            (fiber->line.nth == 0 ? "" : ", number " + std::to_string(fiber->line.nth + 1)),
        fiber->rank);
  for (unsigned warp = 0; warp < (self.fibers.size() + 31) / 32; ++warp)
    for (const Meeting *meeting = self.warps[warp].meetings; meeting; meeting = meeting->next) {
      char mask[16];
      std::snprintf(mask, sizeof mask, "0x%08x", meeting->mask);
      for (const Fiber *fiber = meeting->first; fiber; fiber = fiber->next)
        add(std::string("at ") + meeting->operation + " with mask " + mask + " at " +
                text(meeting->line),
            fiber->rank);
    }
  std::sort(groups.begin(), groups.end(), [](const Group &a, const Group &b) {
    return *std::min_element(a.ranks.begin(), a.ranks.end()) <
           *std::min_element(b.ranks.begin(), b.ranks.end());
  });

  std::string message = describe_place(*self.grid, nullptr) + ": threads wait for each other\n";
  for (const Group &group : groups)
    message += "  " + describe_threads(self, group.ranks) + "\n    wait " + group.what + "\n";
  message +=
      self.meeting_lanes > 0
          ? "  Every lane named in a mask must call the same operation, unless it has returned."
          : "  Every thread of a block must reach the same barrier, unless it has returned.";
  return message;
}

std::string describe_stuck_grid(const Worker &self, const std::string &why) {
  return describe_place(*self.grid, nullptr) + ": waits forever at the grid barrier at " +
         text(block.line) + "\n  " + why +
         "\n  Every thread of every block must call grid.sync(). No thread may return before it.";
}

void fault(cudaError_t error, const char *message, uint3 thread) {
  const Worker &self = worker();
  if (!self.grid) {
    std::fprintf(stderr, "error: outside a kernel: %s\n", message);
    std::abort();
  }
  const std::string text = describe_place(*self.grid, &thread) + ": " + message;
  abandon(error, tools::kernel_ended(nullptr, text) ? "" : text);
}

void assertion_failed(const char *expression, const char *file, unsigned line, const char *function,
                      uint3 thread) {
  const std::string message = std::string(file) + ":" + std::to_string(line) + ": " + function +
                              ": Assertion `" + expression + "` failed.";
  if (in_kernel())
    fault(cudaErrorAssert, message.c_str(), thread);
  std::fflush(stdout);
  std::fprintf(stderr, "%s\n", message.c_str());
  std::abort();
}

// ---- signals -----------------------------------------------------------------------------------

// The index of the thread that runs; nullptr where only the kernel's own code has it.
static const uint3 *running_thread(const Worker &self) {
  if (block.running)
    return &block.running->index;
  return block.forward ? nullptr : &self.fibers[self.positions[self.position]].index;
}

static std::string describe_signal(const Worker &self, int signal, const siginfo_t &info,
                                   const void *stack) {
  const void *address = info.si_addr;
  std::string what;
  char where[32];
  std::snprintf(where, sizeof where, "%p", address);
  if (std::string of_host = tools::host_address_text(address); !of_host.empty())
    what = std::move(of_host);
  else if (signal == SIGFPE)
    what = "divides an integer by zero (on a GPU, the result is a meaningless number)";
  else if (signal == SIGILL)
    what = "executes an illegal instruction";
  else if (info.si_code == SI_KERNEL) // the processor names no address
    what = "accesses an address far outside any memory, or misaligned";
  else if (self.stacks.is_past_end(address, stack))
    what = "accesses memory past the end of the thread's stack: an index outside a local array";
  else if (self.stacks.guards(address) || self.direct.guards(address))
    what = "stack overflow: local arrays are too large, or a recursion does not end";
  else if (self.shared.overrun(address))
    what = "accesses dynamic shared memory past the " +
           std::to_string(self.grid->configuration.shared_bytes) +
           " bytes that the launch requested";
  else if (reinterpret_cast<std::uintptr_t>(address) < 65536)
    what = std::string("accesses address ") + where +
           ": a null pointer, or dynamic shared memory " + "that the launch did not request";
  else
    what = std::string("accesses address ") + where + ", which is not memory of this program: an " +
           "index out of range, or a pointer to memory that was freed";
  std::string message = describe_place(*self.grid, running_thread(self)) + ": " + what;
  if (!running_thread(self))
    message += "\n  With COURSE_CPU_ORDER=reverse, the report also names the thread";
  return message;
}

// The address of the code that a signal interrupted.
static const void *program_counter(const ucontext_t &context) {
#if defined __x86_64__
  return reinterpret_cast<const void *>(context.uc_mcontext.gregs[REG_RIP]);
#elif defined __aarch64__
  return reinterpret_cast<const void *>(context.uc_mcontext.pc);
#endif
}

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
static struct sigaction earlier[NSIG];

// The top of the stack of the code that a signal interrupted.
static const void *stack_pointer(const ucontext_t &context) {
#if defined __x86_64__
  return reinterpret_cast<const void *>(context.uc_mcontext.gregs[REG_RSP]);
#elif defined __aarch64__
  return reinterpret_cast<const void *>(context.uc_mcontext.sp);
#endif
}

// After a call of what is no function: back to the call, from where the stack can be read.
static void undo_call(ucontext_t &context) {
#if defined __x86_64__
  auto &registers = context.uc_mcontext.gregs;
  registers[REG_RIP] = *reinterpret_cast<const greg_t *>(registers[REG_RSP]) - 1;
  registers[REG_RSP] += sizeof(greg_t);
#elif defined __aarch64__
  context.uc_mcontext.pc = context.uc_mcontext.regs[30] - 1;
#endif
}

static void handle(int signal, siginfo_t *info, void *context) {
  const Worker &self = worker();
  ucontext_t &place = *static_cast<ucontext_t *>(context);
  if (!self.grid) { // host code: as if this handler were not there
    sigaction(signal, &earlier[signal], nullptr);
    if (info->si_code <= 0) { // sent, no fault: no instruction would repeat it
      std::raise(signal);
      return;
    }
    const unsigned seconds_left = alarm(2); // the report may wait for a lock that the code holds
    report_host_fault(*info, program_counter(place), stack_pointer(place));
    alarm(seconds_left);
    return;
  }
  if (signal == SIGSEGV && program_counter(place) == info->si_addr)
    undo_call(place);
  const void *code = program_counter(place);
  const bool arithmetic = signal == SIGFPE || signal == SIGILL;
  std::string message = describe_signal(self, signal, *info, stack_pointer(place));
  abandon(arithmetic ? cudaErrorLaunchFailure : cudaErrorIllegalAddress,
          tools::kernel_ended(code, message) ? "" : std::move(message));
}

// The C library has had no functions for these for long.
static pid_t thread_id() { return static_cast<pid_t>(syscall(SYS_gettid)); }
static bool signal_thread(pid_t thread, int number) { // false: it has ended
  return syscall(SYS_tgkill, getpid(), thread, number) == 0;
}

// The threads that may run blocks, for an interruption that another one gets.
class Threads {
public:
  size_t add() {
    for (size_t slot = 0; slot < most; ++slot) {
      pid_t none = 0;
      if (ids[slot].compare_exchange_strong(none, thread_id()))
        return slot;
    }
    return most;
  }
  void remove(size_t slot) {
    if (slot < most)
      ids[slot] = 0;
  }
  // Returns how many it reaches.
  size_t signal(int number) const {
    size_t reached = 0;
    for (const std::atomic<pid_t> &id : ids)
      if (id != 0 && id != thread_id())
        reached += signal_thread(id, number);
    return reached;
  }

private:
  static constexpr size_t most = 1024; // others are not asked
  std::atomic<pid_t> ids[most] = {};
};
static Threads threads;

static void handle_interruption(int signal, siginfo_t *info, void *context);

static void on_interruption(int signal) {
  struct sigaction action = {};
  action.sa_sigaction = handle_interruption;
  // The handler never returns to the kernel: nobody would unblock the signal.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

// Lets the program go on for a moment, in which its host may launch another kernel.
static void wait_for_launch() {
  on_interruption(SIGALRM);
  itimerval soon = {};
  soon.it_value.tv_usec = 100'000;
  setitimer(ITIMER_REAL, &soon, nullptr);
}

// Ctrl-C, or SIGTERM at the end of somebody's patience: says what runs, and ends the process. A
// thread that runs no kernel asks the others: the first that runs one has the last word.
static void handle_interruption(int signal, siginfo_t *, void *context) {
  constexpr unsigned patience = 10; // seconds; after them it ends without a word, as where the
                                    // thread that would speak waits for a lock
  static std::atomic<bool> asked{false}, told{false};
  static std::atomic<size_t> idle{0}; // threads that have answered that they run none
  static std::atomic<int> received{0};
  static std::atomic<size_t> launches_before{0};
  if (int none = 0; received.compare_exchange_strong(none, signal)) {
    launches_before = launches();
    if (launches_before > 0)
      return wait_for_launch();
  }
  signal = received;
  const bool host_goes_on = launches() > launches_before;
  const Worker &self = worker();
  const bool first = !asked.exchange(true);
  if (!self.grid && !first) {
    ++idle;
    return;
  }
  if (!self.grid) {
    const size_t others = threads.signal(signal);
    for (unsigned waits = 0; !told && idle < others && waits < patience * 1000; ++waits)
      usleep(1000);
  }
  if (told.exchange(true)) {
    sleep(patience); // the thread that speaks ends the process
  } else if (self.grid || host_goes_on) {
    alarm(patience); // the text needs memory, and this thread may be in malloc
    course::Interruption its;
    its.is_of_host = host_goes_on;
    its.advice = host_goes_on
                     ? "If the host code never ends, check the condition of its loop."
                     : "It is slow, its loop does not end, or it waits for another thread. The "
                       "tool synccheck (nvcc --instrument) shows the thread and the line at "
                       "Ctrl-C, and reports a wait for another thread.";
    if (self.grid) {
      its.kernel = describe_place(*self.grid, running_thread(self));
      if (!host_goes_on && tools::on)
        its.line =
            tools::line_of_interrupted(program_counter(*static_cast<const ucontext_t *>(context)));
    }
    std::fputs(text_of(its).c_str(), stderr);
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// A handler cannot run on a stack that has overflowed.
struct AlternateStack {
  static constexpr size_t bytes = 64 << 10;
  std::unique_ptr<char[]> memory{new char[bytes]};
  const size_t slot = threads.add();

  void use() const {
    stack_t stack = {};
    stack.ss_sp = memory.get();
    stack.ss_size = bytes;
    sigaltstack(&stack, nullptr);
  }
  ~AlternateStack() {
    threads.remove(slot);
    stack_t none = {};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
  }
};

// Other libraries, Catch2 among them, set handlers and alternate stacks of their own for a while;
// so a launch looks whether its own are still there.
void catch_faults() {
  const auto &stack = of_this_thread<AlternateStack>();
  stack_t current = {};
  sigaltstack(nullptr, &current);
  if (current.ss_sp != stack.memory.get())
    stack.use();

  struct sigaction now;
  sigaction(SIGSEGV, nullptr, &now);
  if (now.sa_sigaction == handle)
    return;
  struct sigaction action = {};
  action.sa_sigaction = handle;
  // The handler never returns to the kernel: nobody would unblock the signal.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (int signal : signals)
    sigaction(signal, &action, &earlier[signal]);

  for (int signal : {SIGINT, SIGTERM}) {
    struct sigaction theirs;
    sigaction(signal, nullptr, &theirs);
    if (theirs.sa_handler == SIG_DFL)
      on_interruption(signal);
  }
}

// Host code may fault before the first launch.
[[maybe_unused]] static const bool from_the_start = (catch_faults(), true);

} // namespace course_cpu
