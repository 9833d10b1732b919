#include "common/grader/worker/device_guard.hpp"

#include <course_cpu_grader.h>

#include <algorithm>
#include <cstdlib>

namespace course {

void guard_device_memory() {
  course_cpu::guard_memory(true);
  course_cpu::watch_launches(note_launch);
  if (const char *text = std::getenv("COURSE_DEVICE_MEMORY"))
    course_cpu::limit_memory(std::strtoull(text, nullptr, 10));
}

void guard_host_array(const void *start, std::size_t bytes) {
  course_cpu::guard_host_array(start, bytes);
}

std::vector<Found> device_memory_damage() {
  std::vector<Found> found;
  for (const course_cpu::Damage &damage : course_cpu::check_guards()) {
    const std::size_t bytes = damage.allocation_bytes;
    const bool at_end = damage.first == std::ptrdiff_t(bytes);
    found.push_back({Kind::oob, course_cpu::describe(damage), 0, bytes, at_end ? damage.bytes : 0});
  }
  return found;
}

LiveMemory live_device_memory() {
  return {course_cpu::live_allocations(), course_cpu::live_bytes()};
}

int take_last_error() { return course_cpu::take_last_error(); }

std::size_t launches() { return course_cpu::launches(); }

std::vector<KernelWork> counted_work() {
  std::vector<KernelWork> kernels;
  for (const auto &[name, launches, global, shared] : course_cpu::counted_work()) {
    KernelWork work{name, {}};
    auto number = work.numbers.begin();
    for (const auto &its : global)
      for (const auto n : {its.number, its.bytes, its.requests, its.sectors, its.coalesced})
        *number++ = n;
    for (const auto &its : shared)
      for (const auto n : {its.number, its.bytes, its.requests, its.conflicts})
        *number++ = n;
    *number = launches;
    kernels.push_back(work);
  }
  const auto [copies, waits, waits_between, chain, bytes_to_host, library_calls, library_bytes] =
      course_cpu::counted_host_work();
  KernelWork host{"host code", {}};
  const std::array numbers{copies,        waits,         waits_between, chain,
                           bytes_to_host, library_calls, library_bytes};
  std::copy(numbers.begin(), numbers.end(), host.numbers.end() - numbers.size());
  kernels.push_back(host);
  return kernels;
}

void watch_waits(void (*begin)(const char *call), void (*end)()) {
  course_cpu::watch_waits(begin, end);
}

void treat_launches(Launches treatment) {
  // The runtime, which knows no grader, has the same enumerators.
  using Its = course_cpu::Launches;
  static_assert(int(Its::run) == int(Launches::run) &&
                int(Its::do_nothing) == int(Launches::do_nothing) &&
                int(Its::fail) == int(Launches::fail));
  course_cpu::treat_launches(hides(treatment) ? Its::run : static_cast<Its>(treatment));
  mask_arrays_for(treatment);
}

} // namespace course
