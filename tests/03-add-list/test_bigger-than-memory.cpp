// Judges exercise 03-add-list/bigger-than-memory: the device has only the bytes that the function
// may hold, and the last chunk is a full one, a partial one, or the only one.
#include "exercises/03-add-list/bigger-than-memory.hpp"
#include "tests/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

void ask(course::Judge &judge, int n, int device_bytes) {
  const auto celsius = judge.numbers<float>(n, -200, 1000);
  std::vector<float> kelvin(n);
  for (int i = 0; i < n; ++i)
    kelvin[i] = celsius[i] + 273.15f;
  judge
      .ask<decltype(bigger_than_memory)>(std::to_string(n) + " numbers through " +
                                         std::to_string(device_bytes) + " bytes")
      .with(n, celsius, course::output(kelvin), device_bytes)
      .device_memory(device_bytes);
}

} // namespace

TEST_CASE("every number is converted, within the memory") {
  course::Judge judge;
  ask(judge, 100, 4000);
  ask(judge, 1000, 402);
  ask(judge, 1003, 402);
  ask(judge, 1, 4);
  ask(judge, 13, 4);
  ask(judge, 50'021, 16'387);
  ask(judge, judge.number(2000, 9000), judge.number(500, 1999));
  judge.run();
}
