#include "common/grader/worker/device_guard.hpp"

#include <course_cpu_grader.h>

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
  return {course_cpu::live_allocations(), course_cpu::live_bytes(),
          course_cpu::live_registrations()};
}

int take_last_error() { return course_cpu::take_last_error(); }

std::size_t launches() { return course_cpu::launches(); }

std::vector<KernelWork> counted_work() {
  std::vector<KernelWork> all;
  for (const course_cpu::Work &its : course_cpu::counted_work()) {
    const auto &[global_loads, global_stores] = its.global;
    const auto &[shared_loads, shared_stores] = its.shared;
    Work &work = all.emplace_back(KernelWork{its.kernel, {}}).work;
    work.launches = its.launches;
    work.global_loads = global_loads.number;
    work.global_load_bytes = global_loads.bytes;
    work.global_load_requests = global_loads.requests;
    work.global_load_sectors = global_loads.sectors;
    work.global_load_coalesced = global_loads.coalesced;
    work.global_stores = global_stores.number;
    work.global_store_bytes = global_stores.bytes;
    work.global_store_requests = global_stores.requests;
    work.global_store_sectors = global_stores.sectors;
    work.global_store_coalesced = global_stores.coalesced;
    work.shared_loads = shared_loads.number;
    work.shared_load_bytes = shared_loads.bytes;
    work.shared_load_requests = shared_loads.requests;
    work.shared_load_conflicts = shared_loads.conflicts;
    work.shared_stores = shared_stores.number;
    work.shared_store_bytes = shared_stores.bytes;
    work.shared_store_requests = shared_stores.requests;
    work.shared_store_conflicts = shared_stores.conflicts;
    work.mma_float = its.mma_float;
    work.mma_half = its.mma_half;
  }
  const course_cpu::HostWork its = course_cpu::counted_host_work();
  Work &work = all.emplace_back(KernelWork{"host code", {}}).work;
  work.copies = its.copies;
  work.waits = its.waits;
  work.waits_between = its.waits_between;
  work.chain = its.chain;
  work.bytes_to_host = its.bytes_to_host;
  work.library_calls = its.library_calls;
  work.library_bytes = its.library_bytes;
  return all;
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
