// Loads and stores of kernels, counted as the program's code executes them, and what they cost; and
// how the host orders copies and kernels.
#include "count.h"

#include "access.h"
#include "clock.h"
#include "course_cpu_grader.h"
#include "report.h"
#include "requests.h"
#include "runtime/observer.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>

namespace course_cpu {
namespace tools {

namespace {

std::deque<Work> &all_kernels() { // in the order of their first launches
  static auto &kernels = *new std::deque<Work>;
  return kernels;
}

// With timeline_mutex held (clock.h); the waits with a mutex of their own.
HostWork host_work;
std::mutex waits_mutex;
std::vector<std::vector<std::uint64_t>> &
chains() { // of each stream: the longest up to operation i + 1
  static auto &all = *new std::vector<std::vector<std::uint64_t>>;
  return all;
}

Work *running; // threads of one kernel run at a time, and one thread at a time
bool of_library;

using Number = unsigned long long; // as %llu has it

// In the words of Nsight Compute; an average over all requests.
void print_sectors(std::FILE *file, const Work::Accesses &its, const char *what) {
  if (its.requests == 0)
    std::fprintf(file, "no %s requests", what);
  else
    std::fprintf(file, "%.2f sectors per %s request (%.2f if coalesced)",
                 double(its.sectors) / its.requests, what, double(its.coalesced) / its.requests);
}

void print_conflicts(std::FILE *file, const Work::Accesses &its, const char *what) {
  std::fprintf(file, "%llu bank conflicts in %llu %s requests", Number(its.conflicts),
               Number(its.requests), what);
}

void print(int, void *file_name) {
  const char *name = static_cast<const char *>(file_name);
  std::fflush(nullptr);
  std::FILE *file = std::strcmp(name, "-") == 0 ? stderr : std::fopen(name, "w");
  if (!file) {
    std::fprintf(stderr, "error: COURSE_CPU_COUNT: cannot write %s\n", name);
    std::_Exit(2);
  }
  const auto print_memory =
      [file](const char *memory, const Work::Accesses(&work)[2],
             void (*print_cost)(std::FILE *, const Work::Accesses &, const char *)) {
        std::fprintf(file, "=========   %s: %llu loads of %llu bytes, %llu stores of %llu bytes\n",
                     memory, Number(work[0].number), Number(work[0].bytes), Number(work[1].number),
                     Number(work[1].bytes));
        if (work[0].number + work[1].number == 0)
          return;
        std::fprintf(file, "=========   %s: ", memory);
        print_cost(file, work[0], "load");
        std::fprintf(file, ", ");
        print_cost(file, work[1], "store");
        std::fprintf(file, "\n");
      };
  for (const Work &kernel : all_kernels()) {
    std::fprintf(file, "========= count: %s, %llu %s\n", kernel.kernel.c_str(),
                 Number(kernel.launches), kernel.launches == 1 ? "launch" : "launches");
    print_memory("global", kernel.global, print_sectors);
    print_memory("shared", kernel.shared, print_conflicts);
  }
  std::fprintf(file,
               "========= count: host code, %llu %s, %llu %s for the device\n"
               "=========   longest chain: %llu copies, fills and kernels, one after the other\n",
               Number(host_work.copies), host_work.copies == 1 ? "copy" : "copies",
               Number(host_work.waits), host_work.waits == 1 ? "wait" : "waits",
               Number(host_work.chain));
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
  static auto &known = *new std::map<std::string, Work *>;
  Work *&kernel = known[launch_text(operation)];
  if (!kernel) {
    all_kernels().emplace_back();
    kernel = &all_kernels().back();
    kernel->kernel = launch_text(operation);
  }
  ++kernel->launches;
  running = kernel;
  of_library = operation.line != 0 && is_ours(operation.file);
}

void count_access(std::uintptr_t address, std::size_t bytes, bool is_store, Code code) {
  if (!self.in_kernel)
    return;
  const bool in_range = address - range < range_bytes;
  if (!in_range && (address - watched >= watched_bytes || is_constant_variable(address) ||
                    !(is_device_variable(address) || shared_cell(address))))
    return;
  const Allocation *a = in_range ? granules[(address - range) >> granule_bits] : nullptr;
  const bool shared = a && a->shared;
  Work::Accesses &accesses = (shared ? running->shared : running->global)[is_store];
  accesses.bytes += bytes;
  // On a GPU, too, what has another size, such as three floats in a struct, is one access for each
  // of its words.
  const std::size_t alignment = (address | bytes) & -(address | bytes),
                    word = std::min<std::size_t>(alignment, 16);
  for (const std::uintptr_t end = address + bytes; address < end; address += word) {
    ++accesses.number;
    add_to_request(accesses, address, word, shared, is_store, of_library, code);
  }
}

void multiplied(bool sums_in_half) {
  if (counting)
    ++(sums_in_half ? running->mma_half : running->mma_float);
}

void count_bytes_to_host(std::size_t bytes) { host_work.bytes_to_host += bytes; }

void count_library_read(std::size_t bytes) { host_work.library_bytes += bytes; }

void count_operation(const Operation &operation) {
  const std::string what = operation.what;
  host_work.copies += what == "copy";
  host_work.library_calls += what == library_call;
  std::uint64_t chain = 0;
  for (std::size_t i = 0; i < std::min(operation.before.size(), chains().size()); ++i)
    if (const std::size_t known = std::min<std::size_t>(operation.before[i], chains()[i].size()))
      chain = std::max(chain, chains()[i][known - 1]);
  chain += !operation.kernel.empty() || what == "copy" || what == "fill" || what == library_call;
  chains().resize(std::max<std::size_t>(chains().size(), operation.stream + 1));
  chains()[operation.stream].resize(operation.number, chain);
  host_work.chain = std::max(host_work.chain, chain);
}

void host_waits() {
  const std::lock_guard lock(waits_mutex);
  host_work.waits += !in_operation();
}

void host_launches(const Site &site) {
  if (!counting)
    return;
  static auto &first = *new std::map<std::string, std::uint64_t>; // launch: as many waits before it
  const std::lock_guard lock(waits_mutex);
  const auto waits_before = first.try_emplace(site.kernel, host_work.waits).first->second;
  host_work.waits_between = std::max(host_work.waits_between, host_work.waits - waits_before);
}

bool counts_waits() { return counting; }

void add_counted(HostWork &work) { work = host_work; }

void add_counted(std::vector<Work> &kernels) {
  kernels.insert(kernels.end(), all_kernels().begin(), all_kernels().end());
}

} // namespace tools
} // namespace course_cpu
