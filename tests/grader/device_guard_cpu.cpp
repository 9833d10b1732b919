#include "tests/grader/device_guard.hpp"

#include <course_cpu_grader.h>

#include <cstdlib>

namespace course {

void guard_device_memory() {
  course_cpu::guard_memory(true);
  if (const char *text = std::getenv("COURSE_DEVICE_MEMORY"))
    course_cpu::limit_memory(std::strtoull(text, nullptr, 10));
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

std::size_t launches() { return course_cpu::launches(); }

void treat_launches(Launches treatment) {
  course_cpu::treat_launches(treatment == Launches::run          ? course_cpu::Launches::run
                             : treatment == Launches::do_nothing ? course_cpu::Launches::do_nothing
                                                                 : course_cpu::Launches::fail);
}

} // namespace course
