// Judges exercise 03-add-list/bigger-than-memory: the function may hold fewer bytes than the device
// has, and the last chunk is a full one, a partial one, or the only one.
#include "common/grader/judge/judge.hpp"
#include "exercises/03-add-list/bigger-than-memory.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace {

using Question = course::Question<decltype(bigger_than_memory)>;

// Below 2048 a sum is right to 2^-14, half the distance of two floats there; 273.15 itself, below
// 512, to 2^-16. Who adds in double is closer to the expected value, which is rounded once.
const double tolerance = 2.1 / 16384 + 1.0 / 65536;

void ask_also(Question &question, const std::vector<float> &celsius, int device_bytes) {
  std::vector<float> kelvin;
  for (float degrees : celsius)
    kelvin.push_back(float(degrees + 273.15));
  question.with(int(celsius.size()), celsius, course::output(kelvin, tolerance), device_bytes);
}

std::vector<float> degrees(course::Judge &judge, int n) {
  return judge.numbers<float>(n, -270, 1500);
}

std::string title(int n, int device_bytes) {
  return std::to_string(n) + " numbers through " + std::to_string(device_bytes) + " bytes";
}

void ask(course::Judge &judge, int n, int device_bytes) {
  auto question = judge.ask<decltype(bigger_than_memory)>(title(n, device_bytes));
  ask_also(question, degrees(judge, n), device_bytes);
  question.device_memory(std::min(device_bytes, 4 * n));
}

} // namespace

TEST_CASE("every number is converted, within the memory") {
  course::Judge judge;
  for (int n : judge.sizes(60'000)) // in 1 to 40 chunks and the rest
    ask(judge, n, std::max(4, 4 * n / judge.number(1, 40) + judge.number(-3, 3)));
  const int many = 600'000 + 2 * judge.number(1, 50'000) + 1; // chunks above 1 MiB
  ask(judge, many, 2 * many + 2 * judge.number(0, 5000));
  const int chunk = judge.number(2, 500), chunks = judge.number(2, 9);
  ask(judge, chunk * chunks, 4 * chunk);         // full ones
  ask(judge, chunk * chunks + 1, 4 * chunk + 3); // and one of a single number
  ask(judge, judge.number(2, 31), 4);            // a number at a time
  const int n = judge.number(5000, 9000), bytes = judge.number(400, 4000);
  auto roomy = judge.ask<decltype(bigger_than_memory)>(title(n, bytes) +
                                                       ", on a device that has room for all");
  ask_also(roomy, degrees(judge, n), bytes);
  roomy.allocates_at_most(bytes);
  judge.run();
}

TEST_CASE("more memory than the list needs") {
  course::Judge judge;
  const int n = judge.number(5000, 9000);
  ask(judge, n, 4 * n);
  ask(judge, n, 4 * n + 4);
  ask(judge, n, 4 * n + judge.number(5, 100'000));
  ask(judge, n, std::numeric_limits<int>::max());
  judge.run();
}

TEST_CASE("several calls, and special numbers") {
  course::Judge judge;
  const int bytes = judge.number(400, 4000), large = judge.number(5000, 9000);
  auto calls = judge.ask<decltype(bigger_than_memory)>(
      title(large, bytes) + ", then half of them, then all through a third of the bytes");
  ask_also(calls, degrees(judge, large), bytes);
  ask_also(calls, degrees(judge, large / 2), bytes);
  ask_also(calls, degrees(judge, large), bytes / 3);
  calls.device_memory(bytes).taken_before_the_last_call(bytes - bytes / 3);
  auto numbers = degrees(judge, large);
  auto changed = judge.ask<decltype(bigger_than_memory)>(title(large, bytes) +
                                                         ", twice, and one number has changed");
  ask_also(changed, numbers, bytes);
  numbers[judge.number(1, large - 2)] = -271;
  ask_also(changed, numbers, bytes);
  auto special = judge.ask<decltype(bigger_than_memory)>("infinite ones and NaN among them");
  numbers = judge.sprinkled(numbers, {INFINITY, -INFINITY, NAN, -0.0f});
  numbers.back() = INFINITY;
  ask_also(special, numbers, bytes);
  judge.run();
}

TEST_CASE("who does the work") {
  course::Judge judge;
  const int chunk = 32 * judge.number(2, 8) + 31, n = 32 * chunk + 32 * judge.number(0, 1) + 31;
  auto idle = judge.ask<decltype(bigger_than_memory)>(title(n, 4 * chunk) + ", kernels do nothing");
  ask_also(idle, degrees(judge, n), 4 * chunk);
  idle.without_kernels();
  judge.run();
}

// A float does not hold the number of elements: what is counted in float is one too few.
TEST_CASE("a chunk of more blocks of 256 than 65535", "[large]") {
  course::Judge judge;
  const int n = course::above_floats;
  const int bytes = 4 * (n - 1); // a second chunk has the last number
  judge.ask<decltype(bigger_than_memory)>(title(n, bytes))
      .with(n, std::vector<float>(n, 20.0f),
            course::output(std::vector<float>(n, 293.15f), tolerance), bytes);
  const int chunk = judge.number(4'200'000, 4'300'000);
  ask(judge, chunk, 4 * chunk - 1); // bytes above 2^24: as a float they are one more
  judge.run();
}
