// Faults in host code: what a shell says of them is "Segmentation fault", or nothing.
#include "host_faults.h"
#include "observer.h"
#include "worker.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <dlfcn.h>
#include <filesystem>
#include <pthread.h>
#include <string>

namespace course_cpu {

// How far from the top of the stack an access still is one of a local array.
constexpr std::uintptr_t stack_margin = 128 << 20;

// One past the highest byte of the thread's stack; 0 where it is not known.
static std::uintptr_t stack_end() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    return 0;
  void *begin = nullptr;
  std::size_t bytes = 0;
  pthread_attr_getstack(&attributes, &begin, &bytes);
  pthread_attr_destroy(&attributes);
  return reinterpret_cast<std::uintptr_t>(begin) + bytes;
}

static std::string describe(const siginfo_t &info, const void *stack) {
  if (info.si_signo == SIGFPE)
    return "an integer is divided by zero";
  if (info.si_signo == SIGILL)
    return "an illegal instruction";
  if (info.si_code == SI_KERNEL) // the processor names no address
    return "an access far outside any memory\n  Often: a pointer that was never set, or a local "
           "array "
           "written past its end";
  char where[64];
  std::snprintf(where, sizeof where, "an access to address %p", info.si_addr);
  const std::string access = where;
  const auto address = reinterpret_cast<std::uintptr_t>(info.si_addr);
  if (address < 65536)
    return access + ", through a null pointer\n  Often: memory that was never allocated, or a call "
                    "that failed and was not checked";
  const auto top = reinterpret_cast<std::uintptr_t>(stack);
  if (const std::uintptr_t end = stack_end();
      end > 0 && address >= end && address - end < stack_margin)
    return "an access past the end of the stack\n  Often: an index outside a local array";
  if (std::max(address, top) - std::min(address, top) < stack_margin)
    return "stack overflow\n  Often: a large array in a function (use std::vector), or a recursion "
           "that does not end";
  return access +
         ", which is not memory of this program\n  Often: an index out of range, memory that "
         "was freed, or a pointer that was never set";
}

// ", in libmpi.so.40" where the code is no part of the program; the runtime is.
static std::string library_of(const void *code) {
  Dl_info of_code{}, of_program{};
  dladdr(reinterpret_cast<void *>(report_host_fault), &of_program);
  if (!dladdr(code, &of_code) || of_code.dli_fbase == of_program.dli_fbase)
    return "";
  return ", in " + std::filesystem::path(of_code.dli_fname).filename().string();
}

void report_host_fault(const siginfo_t &info, const void *code, const void *stack) {
  const char *name = info.si_signo == SIGFPE   ? "SIGFPE"
                     : info.si_signo == SIGILL ? "SIGILL"
                     : info.si_signo == SIGBUS ? "SIGBUS"
                                               : "segmentation fault";
  std::string message = describe(info, stack);
  const std::string place =
      tools::on ? ", at " + tools::line_of_interrupted(code) : library_of(code);
  message.insert(std::min(message.find('\n'), message.size()), place);
  if (!tools::on)
    message += "\n  A run with the tool memcheck may find the line";
  std::fprintf(stderr, "error: %s in host code: %s\n", name, message.c_str());
}

} // namespace course_cpu
