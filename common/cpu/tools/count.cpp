// Loads and stores of kernels, counted as the program's code executes them.
#include "count.h"

#include "access.h"
#include "course_cpu_grader.h"
#include "report.h"
#include "tools.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>

namespace course_cpu {
namespace tools {

namespace {

struct Accesses {
  std::uint64_t number = 0, bytes = 0;
};

struct Kernel {
  std::string name; // with the line of its launch
  std::uint64_t launches = 0;
  Accesses global[2], shared[2]; // loads, stores
};

std::deque<Kernel> &all_kernels() { // in the order of their first launches
  static auto &kernels = *new std::deque<Kernel>;
  return kernels;
}

Kernel *running; // threads of one kernel run at a time, and one thread at a time

void print(int, void *file_name) {
  const char *name = static_cast<const char *>(file_name);
  std::fflush(nullptr);
  std::FILE *file = std::strcmp(name, "-") == 0 ? stderr : std::fopen(name, "w");
  if (!file) {
    std::fprintf(stderr, "error: COURSE_CPU_COUNT: cannot write %s\n", name);
    std::_Exit(2);
  }
  const auto line = [file](const char *memory, const Accesses(&work)[2]) {
    std::fprintf(file, "=========   %s: %llu loads of %llu bytes, %llu stores of %llu bytes\n",
                 memory, static_cast<unsigned long long>(work[0].number),
                 static_cast<unsigned long long>(work[0].bytes),
                 static_cast<unsigned long long>(work[1].number),
                 static_cast<unsigned long long>(work[1].bytes));
  };
  for (const Kernel &kernel : all_kernels()) {
    std::fprintf(file, "========= count: %s, %llu %s\n", kernel.name.c_str(),
                 static_cast<unsigned long long>(kernel.launches),
                 kernel.launches == 1 ? "launch" : "launches");
    line("global", kernel.global);
    line("shared", kernel.shared);
  }
  std::fflush(file);
}

bool begin_counting() {
  char *name = std::getenv("COURSE_CPU_COUNT");
  if (!name || !*name)
    return false;
  on_exit(print, name);
  return true;
}

} // namespace

bool counting = begin_counting();

void count_kernel(const Operation &operation) {
  static auto &known = *new std::map<std::string, Kernel *>;
  Kernel *&kernel = known[launch_text(operation)];
  if (!kernel) {
    all_kernels().emplace_back();
    kernel = &all_kernels().back();
    kernel->name = launch_text(operation);
  }
  ++kernel->launches;
  running = kernel;
}

void count_access(std::uintptr_t address, std::size_t bytes, bool is_store) {
  if (!self.in_kernel || address - range >= range_bytes)
    return;
  const Allocation *a = granules[(address - range) >> granule_bits];
  Accesses &accesses = (a && a->shared ? running->shared : running->global)[is_store];
  ++accesses.number;
  accesses.bytes += bytes;
}

void add_counted(Work &work) {
  const auto add = [](Work::Memory &sum, const Accesses(&of_kernel)[2]) {
    sum.loads += of_kernel[0].number;
    sum.load_bytes += of_kernel[0].bytes;
    sum.stores += of_kernel[1].number;
    sum.store_bytes += of_kernel[1].bytes;
  };
  for (const Kernel &kernel : all_kernels()) {
    add(work.global, kernel.global);
    add(work.shared, kernel.shared);
  }
}

} // namespace tools
} // namespace course_cpu
