#include "tests/grader/device_guard.hpp"

#include <course_cpu_grader.h>

#include <cstdlib>

namespace course {

void guard_device_memory() {
  course_cpu::guard_memory(true);
  if (const char *text = std::getenv("COURSE_DEVICE_MEMORY"))
    course_cpu::limit_memory(std::strtoull(text, nullptr, 10));
}

void guard_host_array(const void *start, std::size_t bytes) {
  course_cpu::guard_host_array(start, bytes);
}

std::vector<std::string> device_memory_damage() {
  std::vector<std::string> sentences;
  for (const course_cpu::Damage &damage : course_cpu::check_guards())
    sentences.push_back(course_cpu::describe(damage));
  return sentences;
}

LiveMemory live_device_memory() {
  return {course_cpu::live_allocations(), course_cpu::live_bytes()};
}

int take_last_error() { return course_cpu::take_last_error(); }

std::size_t launches() { return course_cpu::launches(); }

std::array<std::uint64_t, 8> counted_work() {
  const auto [global, shared] = course_cpu::counted_work();
  return {global.loads, global.load_bytes, global.stores, global.store_bytes,
          shared.loads, shared.load_bytes, shared.stores, shared.store_bytes};
}

void treat_launches(Launches treatment) {
  // The runtime, which knows no grader, has the same enumerators.
  using Its = course_cpu::Launches;
  static_assert(int(Its::run) == int(Launches::run) &&
                int(Its::do_nothing) == int(Launches::do_nothing) &&
                int(Its::fail) == int(Launches::fail));
  course_cpu::treat_launches(static_cast<Its>(treatment));
}

} // namespace course
